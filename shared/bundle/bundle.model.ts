import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';
import type { DurationUnit } from '../platform/formats/period.js';

/** Items that are subscribed to together; `interface.md 2 (Bundle)`. */
export class Bundle extends Model<InferAttributes<Bundle>, InferCreationAttributes<Bundle>> {
  declare id: string;
  declare ownerId: string;
  declare name: string;
  declare description: CreationOptional<string | null>;
  declare priceCents: number;
  declare duration: number;
  declare durationUnit: DurationUnit;
  declare thumbnailId: CreationOptional<string | null>;
  declare tags: CreationOptional<string[]>;
  declare publishedAt: Date;
  /** Deleted by its owner: found by nobody, and kept for those who have paid for it. */
  declare deletedAt: CreationOptional<Date | null>;
  declare updatedAt: Date;

  static attach(sequelize: Sequelize) {
    return Bundle.init(
      {
        id: { type: DataTypes.UUID, primaryKey: true },
        ownerId: DataTypes.UUID,
        name: DataTypes.TEXT,
        description: DataTypes.TEXT,
        // PostgreSQL sends bigint as text.
        priceCents: {
          type: DataTypes.BIGINT,
          get(): number {
            return Number(this.getDataValue('priceCents') as unknown);
          },
        },
        duration: DataTypes.INTEGER,
        durationUnit: DataTypes.TEXT,
        thumbnailId: DataTypes.UUID,
        tags: DataTypes.ARRAY(DataTypes.TEXT),
        publishedAt: DataTypes.DATE,
        deletedAt: DataTypes.DATE,
        updatedAt: DataTypes.DATE,
      },
      { sequelize, tableName: 'bundles', underscored: true },
    );
  }
}
