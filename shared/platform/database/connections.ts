import pg from 'pg';
import { Sequelize } from 'sequelize';
import type { PoolState } from './database.js';
import type { CancellableClient } from './statementBounds.js';

/** A connection of the driver. */
export type PooledClient = pg.Client & CancellableClient;

/** The pool of connections of a database. */
export interface Connections {
  /**
   * Runs `work` on a dedicated connection. Afterwards the connection is closed if `work` has marked it as broken, otherwise
   * reused.
   */
  use<Result>(work: (client: PooledClient) => Promise<Result>): Promise<Result>;
  state(): PoolState;
  close(): Promise<void>;
}

interface ConnectionsOptions {
  readonly url: string;
  readonly poolSize: number;
  /** The server cancels longer statements. 0 or absent: no limit. */
  readonly statementTimeoutMs?: number;
}

/** Sequelize attaches its error listener some time after connecting: an error in between would end the process. */
class ListeningClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => {});
  }
}

const broken = new WeakSet<PooledClient>();

/** Excludes a connection from reuse. */
export function markBroken(client: PooledClient): void {
  broken.add(client);
}

/** Opens Sequelize's pool. The server need not be reachable: each use of a connection then fails. */
export function openConnections({ url, poolSize, statementTimeoutMs = 0 }: ConnectionsOptions): Connections {
  const sequelize = new Sequelize(url, {
    dialect: 'postgres',
    dialectModule: { ...pg, Client: ListeningClient },
    logging: false,
    pool: { max: poolSize, min: 0, acquire: 15_000, idle: 30_000 },
    // A startup parameter of the connection, which needs no statement.
    dialectOptions: { statement_timeout: statementTimeoutMs },
  });
  let [open, used, waiting] = [0, 0, 0];
  sequelize.addHook('afterConnect', () => void open++);
  sequelize.addHook('afterDisconnect', () => void open--);
  const { connectionManager } = sequelize;
  const acquire = async (): Promise<PooledClient> => {
    waiting++;
    try {
      return (await connectionManager.getConnection({ type: 'write' })) as PooledClient;
    } finally {
      waiting--;
    }
  };
  const returnConnection = (client: PooledClient): void => {
    if (!broken.has(client)) connectionManager.releaseConnection(client);
    // An unreachable server may not answer, and the caller already has its error.
    else connectionManager.destroyConnection(client).catch(() => {});
  };
  return {
    async use(work) {
      const client = await acquire();
      used++;
      try {
        return await work(client);
      } finally {
        used--;
        returnConnection(client);
      }
    },
    state: () => ({ used, idle: Math.max(0, open - used), waiting, maximum: poolSize }),
    close: () => sequelize.close(),
  };
}
