import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';

export const ccTypes = ['BY', 'BY_SA', 'BY_ND', 'BY_NC', 'BY_NC_SA', 'BY_NC_ND'] as const;
export type CcType = (typeof ccTypes)[number];
export type VodLicenseType = 'FREE' | 'CREATIVE_COMMONS' | 'PAY_PER_VIEW' | 'CONTENT_BUNDLE';

/** A box item published on demand; `interface.md 2 (VOD item)`. */
export class VodItem extends Model<InferAttributes<VodItem>, InferCreationAttributes<VodItem>> {
  declare id: string;
  declare ownerId: string;
  declare boxItemId: string;
  declare licenseType: VodLicenseType;
  declare ccType: CreationOptional<CcType | null>;
  declare public: CreationOptional<boolean>;
  declare publishedAt: Date;
  declare expiresAt: CreationOptional<Date | null>;
  declare updatedAt: Date;

  static attach(sequelize: Sequelize) {
    return VodItem.init(
      {
        id: { type: DataTypes.UUID, primaryKey: true },
        ownerId: DataTypes.UUID,
        boxItemId: DataTypes.UUID,
        licenseType: DataTypes.TEXT,
        ccType: DataTypes.TEXT,
        public: DataTypes.BOOLEAN,
        publishedAt: DataTypes.DATE,
        expiresAt: DataTypes.DATE,
        updatedAt: DataTypes.DATE,
      },
      { sequelize, tableName: 'vod_items', underscored: true },
    );
  }
}
