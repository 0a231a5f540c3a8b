import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';
import type { DurationUnit } from '../platform/formats/period.js';
import type { MarketplaceLicenseType } from './conditions.js';

/** A box item offered to other publishers; `interface.md 2 (Marketplace item)`. */
export class MarketplaceItem extends Model<InferAttributes<MarketplaceItem>, InferCreationAttributes<MarketplaceItem>> {
  declare id: string;
  declare ownerId: string;
  declare boxItemId: string;
  declare licenseType: MarketplaceLicenseType;
  declare ccType: CreationOptional<string | null>;
  declare activationPriceCents: CreationOptional<number | null>;
  declare pricePerViewCents: CreationOptional<number | null>;
  declare earningBasisPoints: CreationOptional<number | null>;
  declare duration: CreationOptional<number | null>;
  declare durationUnit: CreationOptional<DurationUnit | null>;
  declare download: CreationOptional<boolean>;
  declare publishedAt: Date;
  declare updatedAt: Date;

  static attach(sequelize: Sequelize) {
    return MarketplaceItem.init(
      {
        id: { type: DataTypes.UUID, primaryKey: true },
        ownerId: DataTypes.UUID,
        boxItemId: DataTypes.UUID,
        licenseType: DataTypes.TEXT,
        ccType: DataTypes.TEXT,
        // PostgreSQL sends bigint as text: both prices are read as numbers by `marketplace.offer.ts`.
        activationPriceCents: DataTypes.BIGINT,
        pricePerViewCents: DataTypes.BIGINT,
        earningBasisPoints: DataTypes.INTEGER,
        duration: DataTypes.INTEGER,
        durationUnit: DataTypes.TEXT,
        download: DataTypes.BOOLEAN,
        publishedAt: DataTypes.DATE,
        updatedAt: DataTypes.DATE,
      },
      { sequelize, tableName: 'marketplace_items', underscored: true },
    );
  }
}
