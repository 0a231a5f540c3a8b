/** A JSON Schema of `/openapi.json`, with the keywords that the tables of `docs/contract.md` show. */
export interface DescribedSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, DescribedSchema>>;
  readonly required?: readonly string[];
  readonly items?: DescribedSchema;
  readonly anyOf?: readonly DescribedSchema[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

type Content = Readonly<Record<string, { readonly schema: DescribedSchema }>>;

export interface DescribedParameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: DescribedSchema;
}

export interface ContractOperation {
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<
    Record<
      string,
      { readonly content?: Content; readonly headers?: Readonly<Record<string, { readonly description?: string }>> }
    >
  >;
}

/** The members of `/openapi.json` that `docs/contract.md` shows. */
export interface DescribedService {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: ContractOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, DescribedSchema>>;
    readonly parameters: Readonly<Record<string, DescribedParameter>>;
  };
}

/** An operation with its method in capitals and its path. */
export interface PathOperation extends ContractOperation {
  readonly method: string;
  readonly path: string;
}

export function pathOperations({ paths }: DescribedService): PathOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** The name of a schema, if it has one. */
export function schemaName({ $ref }: DescribedSchema): string | undefined {
  return $ref?.split('/').at(-1);
}

/** The description with references replaced by their schemas, except for schemas with their own table. */
export function withPartsInline(service: DescribedService, hasTable: (name: string) => boolean): DescribedService {
  return inline(service) as DescribedService;

  function inline(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(inline);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...others } = value as DescribedSchema;
    const schema = service.components.schemas[schemaName({ $ref: $ref ?? '' }) ?? ''];
    if (schema && $ref?.includes('/schemas/') && !hasTable(schemaName({ $ref }) ?? ''))
      return inline({ ...schema, ...others });
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inline(member)]));
  }
}
