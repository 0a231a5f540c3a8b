import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';

export type BoxSource = 'UPLOAD' | 'MARKET_PLACE' | 'LIVE';

/** A user's holding of a content; `interface.md 2 (Box item)`. */
export class BoxItem extends Model<InferAttributes<BoxItem>, InferCreationAttributes<BoxItem>> {
  declare id: string;
  declare ownerId: string;
  declare contentId: string;
  declare source: BoxSource;
  declare title: string;
  declare description: CreationOptional<string | null>;
  declare tags: CreationOptional<string[]>;
  /** The owner's own choice; where null, the content's picture serves. */
  declare thumbnailId: CreationOptional<string | null>;
  declare createdAt: Date;
  declare expiresAt: CreationOptional<Date | null>;
  declare updatedAt: Date;

  static attach(sequelize: Sequelize) {
    return BoxItem.init(
      {
        id: { type: DataTypes.UUID, primaryKey: true },
        ownerId: DataTypes.UUID,
        contentId: DataTypes.UUID,
        source: DataTypes.TEXT,
        title: DataTypes.TEXT,
        description: DataTypes.TEXT,
        tags: DataTypes.ARRAY(DataTypes.TEXT),
        thumbnailId: DataTypes.UUID,
        createdAt: DataTypes.DATE,
        expiresAt: DataTypes.DATE,
        updatedAt: DataTypes.DATE,
      },
      { sequelize, tableName: 'box_items', underscored: true },
    );
  }
}
