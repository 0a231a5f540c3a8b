import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { stringify, parse } from 'yaml';
import { createMetrics } from '../../shared/platform/metrics.js';
import { exampleFile, pageText, projectFile, readSource, sourcesBelow } from '../support/projectFile.js';
import { itWith, requirements } from '../support/requirements.js';

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}

/** The metrics that a source registers. Their names are literals, or constants of the same file. */
function metricsOf(source: string): string[] {
  const registered = /new (?:Gauge|Counter|Histogram)\(\{\s*(?:name: '(\w+)'|(?:name: )?(\w+),)|\bgauge\(\s*'(\w+)'/g;
  return [...source.matchAll(registered)].flatMap(([, literal, constant, ofHelper]) => {
    const value = constant && new RegExp(`const ${constant} = '(\\w+)'`).exec(source)?.[1];
    return literal ?? ofHelper ?? value ?? [];
  });
}

const functions = ['histogram_quantile', 'min_over_time'];
/** The suffixes that Prometheus adds for a histogram. */
const seriesOfHistogram = /_(bucket|sum|count)$/;

/** The alert rules `docs/examples/alerts.yml` and the dashboard `docs/grafana.json`. */
describe('the alert rules and the dashboard', () => {
  let rules: Rules;
  let dashboard: Dashboard;
  let registered: readonly string[];
  let metrics: ReadonlySet<string>;

  before(async () => {
    rules = parse(await exampleFile('alerts.yml')) as Rules;
    dashboard = JSON.parse(readFileSync(projectFile('docs/grafana.json'), 'utf8')) as Dashboard;
    const files = ['api', 'shared', 'workers'].flatMap((folder) => sourcesBelow(folder));
    registered = files.flatMap((file) => metricsOf(readSource(file)));
    const ofProcess = createMetrics('test')
      .registry.getMetricsAsArray()
      .map(({ name }) => name);
    metrics = new Set([...registered, ...ofProcess]);
  });

  const alerts = () => rules.groups.flatMap((group) => group.rules.map(({ alert, expr }) => ({ title: alert, expr })));
  const charts = () =>
    dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

  it('are documented in docs/operate.md with exactly the metrics that the code registers', async () => {
    const table = (await pageText('operate')).split('\n\n').find((block) => block.includes('| `build_info` |')) ?? '';
    const rows = table.split('\n').slice(2);
    const documented = new Set(rows.flatMap((row) => row.split('|')[1]?.match(/[a-z_]+/g) ?? []));
    expect(documented.size).to.be.above(25);
    expect(registered.filter((name) => !documented.has(name))).to.deep.equal([]);
    expect([...documented].filter((name) => !metrics.has(name))).to.deep.equal([]);
  });

  it('query only metrics that the code registers', () => {
    const all = [...alerts(), ...charts()];
    expect(all.length).to.be.above(25);
    for (const { title, expr } of all) {
      const names = (expr.replaceAll(/\$__\w+|"[^"]*"/g, '').match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g) ?? []).filter(
        (name) => !functions.includes(name),
      );
      const unknown = names.filter((name) => !metrics.has(name) && !metrics.has(name.replace(seriesOfHistogram, '')));
      expect(unknown, `${title}: ${expr}`).to.deep.equal([]);
    }
  });

  itWith(requirements.promtool, 'are valid for Prometheus', function () {
    const folder = mkdtempSync(join(tmpdir(), 'video-platform-rules-'));
    try {
      const recorded = charts().map(({ expr }, index) => ({
        record: `chart:${index}`,
        expr: expr.replaceAll('$__rate_interval', '5m'),
      }));
      writeFileSync(join(folder, 'alerts.yml'), stringify(rules));
      writeFileSync(join(folder, 'charts.yml'), stringify({ groups: [{ name: 'charts', rules: recorded }] }));
      for (const file of ['alerts.yml', 'charts.yml']) execFileSync('promtool', ['check', 'rules', join(folder, file)]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
