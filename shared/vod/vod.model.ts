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
  /** With PAY_PER_VIEW alone. */
  declare pricePerViewCents: CreationOptional<number | null>;
  /** With CONTENT_BUNDLE alone: the bundle, and the place in it from 0 up. */
  declare bundleId: CreationOptional<string | null>;
  declare bundlePosition: CreationOptional<number | null>;
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
        // PostgreSQL sends bigint as text: read as a number by the entries of `vod.entry.ts`.
        pricePerViewCents: DataTypes.BIGINT,
        bundleId: DataTypes.UUID,
        bundlePosition: DataTypes.INTEGER,
        public: DataTypes.BOOLEAN,
        publishedAt: DataTypes.DATE,
        expiresAt: DataTypes.DATE,
        updatedAt: DataTypes.DATE,
      },
      { sequelize, tableName: 'vod_items', underscored: true },
    );
  }
}
