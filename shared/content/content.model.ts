import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';
import type { ContentPlan } from './plan.js';

/** DELETED is a tombstone: the rows and files go by job. */
export type ContentState = 'PENDING' | 'READY' | 'FAILED' | 'DELETED';

/** A stored asset: its source file, and pointers to the generation that plays. */
export class Content extends Model<InferAttributes<Content>, InferCreationAttributes<Content>> {
  declare id: string;
  declare ownerId: string;
  declare state: ContentState;
  /** Message key of why it failed, for the owner. */
  declare failureKey: CreationOptional<string | null>;
  /** The same for the log and the operators. */
  declare failureDetail: CreationOptional<string | null>;
  declare sourceKey: string;
  /** The name the file was uploaded under; for downloads only, never a path. */
  declare sourceName: string;
  /** bigint: arrives as a string of digits. */
  declare sourceBytes: string | number;
  /** The generation being made. */
  declare generation: CreationOptional<number>;
  /** The generation that plays; flipped once, when every chunk of it has been verified. */
  declare readyGeneration: CreationOptional<number | null>;
  /** The last generation that could not be made. While `generation` is above this and the ready one, it is in the making. */
  declare failedGeneration: CreationOptional<number | null>;
  declare durationMs: CreationOptional<string | number | null>;
  declare width: CreationOptional<number | null>;
  declare height: CreationOptional<number | null>;
  declare hasVideo: CreationOptional<boolean | null>;
  declare hasAudio: CreationOptional<boolean | null>;
  declare plan: CreationOptional<ContentPlan | null>;
  declare thumbnailId: CreationOptional<string | null>;
  declare renditionBytes: CreationOptional<string | number>;
  declare thumbnailBytes: CreationOptional<string | number>;
  /** How often ingestion has begun. */
  declare attempt: CreationOptional<number>;
  declare leaseOwner: CreationOptional<string | null>;
  declare leaseUntil: CreationOptional<Date | null>;
  declare createdAt: Date;
  declare readyAt: CreationOptional<Date | null>;
  declare updatedAt: Date;

  static attach(sequelize: Sequelize) {
    return Content.init(
      {
        id: { type: DataTypes.UUID, primaryKey: true },
        ownerId: DataTypes.UUID,
        state: DataTypes.TEXT,
        failureKey: DataTypes.TEXT,
        failureDetail: DataTypes.TEXT,
        sourceKey: DataTypes.TEXT,
        sourceName: DataTypes.TEXT,
        sourceBytes: DataTypes.BIGINT,
        generation: DataTypes.INTEGER,
        readyGeneration: DataTypes.INTEGER,
        failedGeneration: DataTypes.INTEGER,
        durationMs: DataTypes.BIGINT,
        width: DataTypes.INTEGER,
        height: DataTypes.INTEGER,
        hasVideo: DataTypes.BOOLEAN,
        hasAudio: DataTypes.BOOLEAN,
        plan: DataTypes.JSONB,
        thumbnailId: DataTypes.UUID,
        renditionBytes: DataTypes.BIGINT,
        thumbnailBytes: DataTypes.BIGINT,
        attempt: DataTypes.INTEGER,
        leaseOwner: DataTypes.TEXT,
        leaseUntil: DataTypes.DATE,
        createdAt: DataTypes.DATE,
        readyAt: DataTypes.DATE,
        updatedAt: DataTypes.DATE,
      },
      { sequelize, tableName: 'contents', underscored: true },
    );
  }
}
