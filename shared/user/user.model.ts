import {
  DataTypes,
  Model,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Sequelize,
} from 'sequelize';

export type UserState = 'PENDING' | 'ACTIVE' | 'DISABLED';

export interface BillingAddress {
  state?: string;
  /** ISO 3166 alpha-2. */
  country?: string;
  city?: string;
  street?: string;
  zipCode?: string;
}

/** An account; `interface.md 2 (User)`. */
export class User extends Model<InferAttributes<User>, InferCreationAttributes<User>> {
  declare id: string;
  declare userCode: string;
  declare passwordHash: string;
  declare state: UserState;
  declare language: string;
  declare email: string;
  declare firstName: string;
  declare lastName: string;
  /** yyyy-MM-dd. */
  declare birthDate: string;
  declare thumbnailId: CreationOptional<string | null>;
  declare pageTitle: CreationOptional<string | null>;
  declare pageDescription: CreationOptional<string | null>;
  declare facebookUrl: CreationOptional<string | null>;
  declare twitterContact: CreationOptional<string | null>;
  declare linkedinUrl: CreationOptional<string | null>;
  declare paypalEmail: CreationOptional<string | null>;
  declare companyName: CreationOptional<string | null>;
  declare companyConfirm: CreationOptional<boolean>;
  declare vatNumber: CreationOptional<string | null>;
  declare taxCode: CreationOptional<string | null>;
  declare billingAddress: CreationOptional<BillingAddress>;
  declare transcoderNotifyEnabled: CreationOptional<boolean>;
  declare vodPublic: CreationOptional<boolean>;
  /** Encrypted: the streaming server's endpoint must be able to read it (`interface.md 4.13`). */
  declare livePassword: CreationOptional<string | null>;
  declare lastActivityAt: Date;
  declare createdAt: Date;
  declare updatedAt: Date;

  static attach(sequelize: Sequelize) {
    return User.init(
      {
        id: { type: DataTypes.UUID, primaryKey: true },
        userCode: DataTypes.TEXT,
        passwordHash: DataTypes.TEXT,
        state: DataTypes.TEXT,
        language: DataTypes.TEXT,
        email: DataTypes.TEXT,
        firstName: DataTypes.TEXT,
        lastName: DataTypes.TEXT,
        birthDate: DataTypes.DATEONLY,
        thumbnailId: DataTypes.UUID,
        pageTitle: DataTypes.TEXT,
        pageDescription: DataTypes.TEXT,
        facebookUrl: DataTypes.TEXT,
        twitterContact: DataTypes.TEXT,
        linkedinUrl: DataTypes.TEXT,
        paypalEmail: DataTypes.TEXT,
        companyName: DataTypes.TEXT,
        companyConfirm: DataTypes.BOOLEAN,
        vatNumber: DataTypes.TEXT,
        taxCode: DataTypes.TEXT,
        billingAddress: DataTypes.JSONB,
        transcoderNotifyEnabled: DataTypes.BOOLEAN,
        vodPublic: DataTypes.BOOLEAN,
        livePassword: DataTypes.TEXT,
        lastActivityAt: DataTypes.DATE,
        createdAt: DataTypes.DATE,
        updatedAt: DataTypes.DATE,
      },
      { sequelize, tableName: 'users', underscored: true },
    );
  }
}
