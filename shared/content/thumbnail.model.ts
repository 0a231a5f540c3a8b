import { DataTypes, Model, type InferAttributes, type InferCreationAttributes, type Sequelize } from 'sequelize';

/** A picture, uploaded or taken from a content's frames; `decisions.md 6`. */
export class Thumbnail extends Model<InferAttributes<Thumbnail>, InferCreationAttributes<Thumbnail>> {
  declare id: string;
  declare ownerId: string;
  declare storageKey: string;
  declare mimeType: string;
  declare bytes: string | number;
  declare width: number;
  declare height: number;
  declare createdAt: Date;

  static attach(sequelize: Sequelize) {
    return Thumbnail.init(
      {
        id: { type: DataTypes.UUID, primaryKey: true },
        ownerId: DataTypes.UUID,
        storageKey: DataTypes.TEXT,
        mimeType: DataTypes.TEXT,
        bytes: DataTypes.BIGINT,
        width: DataTypes.INTEGER,
        height: DataTypes.INTEGER,
        createdAt: DataTypes.DATE,
      },
      { sequelize, tableName: 'thumbnails', underscored: true },
    );
  }
}
