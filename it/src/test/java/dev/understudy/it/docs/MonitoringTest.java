package dev.understudy.it.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.session.trigger.RuleCondition.AlertName;
import dev.understudy.session.trigger.RulesFile;
import dev.understudy.session.trigger.WatchRules;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** That {@code examples/monitoring} asks for what a running sidecar and aggregator have at {@code /metrics}. */
final class MonitoringTest {
    private static final Path FOLDER = Repository.root().resolve("examples/monitoring");
    private static final String DASHBOARD = "grafana/understudy.json";
    private static final Pattern SHOWN = Pattern.compile("`(understudy [^`]+)`");
    private static final Pattern TEMPLATE = Pattern.compile("\\$labels\\.(\\w+)");
    private static final Pattern ALERT = Pattern.compile("Understudy\\w+");

    private static Scrape scrape = new Scrape();

    @BeforeAll
    static void ask(@TempDir Path folder) throws Exception {
        try (RunningPrograms programs = RunningPrograms.start(folder)) {
            scrape = Scrape.of(programs.scrape());
        }
        Set<String> jobs = new TreeSet<>();
        yaml("prometheus/prometheus.yml")
                .path("scrape_configs")
                .forEach(job -> jobs.add(job.path("job_name").asText()));
        scrape.with("up", Map.of())
                .with("ALERTS", Map.of("alertname", alerts(), "alertstate", Set.of("pending", "firing")))
                .withLabel("job", jobs)
                .withLabel("instance", Set.of())
                .withLabel("debug", Set.of()); // where a listener has several
    }

    @Test
    void dashboard_asksForWhatIsThere_andCanBeRead() throws Exception {
        Dashboard dashboard = Dashboard.read(FOLDER.resolve(DASHBOARD), scrape);

        assertThat(String.join("\n", dashboard.problems())).isEmpty();
        assertThat(dashboard.queries()).isGreaterThan(20);
    }

    @Test
    void brokenDashboard_isFound() throws Exception {
        String text = Files.readString(FOLDER.resolve(DASHBOARD))
                .replace("understudy_window_lag_seconds", "understudy_window_lag")
                .replace("sum by (kind)", "sum by (sort)")
                .replace("side=\\\"debug\\\"", "side=\\\"copy\\\"");
        JsonNode root = new ObjectMapper().readTree(text);
        ObjectNode last =
                (ObjectNode) root.path("panels").get(root.path("panels").size() - 1);
        last.put("id", 1).put("description", "").putArray("targets");
        ((ObjectNode) last.path("gridPos")).put("x", 6);
        ((ObjectNode) last.at("/fieldConfig/defaults")).remove("unit");

        assertThat(String.join("\n", Dashboard.of(root, scrape).problems()))
                .contains("understudy_window_lag: no such metric")
                .contains("by (sort): no such label")
                .contains("no series has side=copy")
                .contains("no description", "no unit", "no query", "its id is another's", "lies over another");
    }

    @Test
    void queries_needTheRightNamesLabelsAndTypes() {
        assertThat(problems("rate(understudy_verdicts[5m])")).contains("understudy_verdicts: no such metric");
        assertThat(problems("rate(understudy_window_pending[5m])")).contains("a rate of what isn't a counter");
        assertThat(problems("rate(understudy_verdicts_total)")).contains("has no range");
        assertThat(problems("understudy_verdicts_total{reason=\"same\"}")).contains("has no label reason");
        assertThat(problems("understudy_verdicts_total{kind=~\"same|equal\"}")).contains("no series has kind=equal");
        assertThat(problems("understudy_verdicts_total{listener=\"shop\"}")).contains("expected: a variable");
        assertThat(problems("understudy_verdicts_total{listener=~\"$which\"}")).contains("$which: no such variable");
        assertThat(problems("understudy_agent_spent > sum by (agent) (understudy_agent_budget)"))
                .contains("'>' finds no pair");
        assertThat(problems("histogram_quantile(0.99, sum by (side) (rate(understudy_replies_within_total[5m])))"))
                .contains("without le");
        assertThat(problems("sum(understudy_agent_spent")).contains("expected: ')'");
        assertThat(problems("understudy_agent_spent ; 1")).contains("can't be read from here");
    }

    @Test
    void rules_askForWhatIsThere_andSayWhatToType() throws Exception {
        List<String> problems = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (JsonNode group : yaml("prometheus/rules.yml").path("groups")) {
            for (JsonNode rule : group.path("rules")) {
                String name = rule.path("alert").asText();
                if (!names.add(name) || !ALERT.matcher(name).matches()) {
                    problems.add(name + ": isn't a name of its own that begins with Understudy");
                }
                problems(rule).forEach(problem -> problems.add(name + ": " + problem));
            }
        }
        assertThat(String.join("\n", problems)).isEmpty();
        assertThat(names).hasSizeGreaterThan(10);
    }

    private static List<String> problems(JsonNode rule) {
        Query query = Query.read(rule.path("expr").asText(), scrape, Set.of());
        List<String> problems = new ArrayList<>(query.problems());
        String summary = rule.at("/annotations/summary").asText();
        String description = rule.at("/annotations/description").asText();
        Matcher label = TEMPLATE.matcher(summary + description);
        while (label.find()) {
            if (!query.labels().contains(label.group(1))) {
                problems.add("$labels." + label.group(1) + " (expected: of " + query.labels() + ")");
            }
        }
        Matcher shown = SHOWN.matcher(description);
        int commands = 0;
        for (; shown.find(); commands++) {
            String problem = ShownCommands.problem(shown.group(1));
            if (problem != null) {
                problems.add(shown.group(1) + ": " + problem);
            }
        }
        if (summary.isBlank() || commands == 0) {
            problems.add("no summary, or no command in the description");
        }
        if (!rule.at("/labels/severity").asText().matches("page|warning")) {
            problems.add("severity: " + rule.at("/labels/severity") + " (expected: page or warning)");
        }
        return problems;
    }

    @Test
    void alertmanager_sendsWhatTheSessionWaitsFor() throws Exception {
        WatchRules session = RulesFile.read(FOLDER.resolve("session-rules.yaml"));
        String text = Files.readString(FOLDER.resolve("prometheus/alertmanager.yml"));
        JsonNode settings = yaml("prometheus/alertmanager.yml");
        InetSocketAddress listen = requireNonNull(session.alerts()).listen();
        String address = listen.getHostString() + ":" + listen.getPort();

        assertThat(session.rules()).isNotEmpty().allSatisfy(rule -> {
            String wanted = ((AlertName) rule.condition()).name();
            assertThat(alerts()).contains(wanted);
            assertThat(text).contains("alertname = \"" + wanted + "\"");
        });
        assertThat(settings.findValuesAsText("url")).containsExactly("http://" + address + "/v1/alerts");
        assertThat(settings.findValuesAsText("credentials_file")).hasSize(1);
        assertThat(settings.path("receivers").findValuesAsText("name"))
                .containsAll(settings.path("route").findValuesAsText("receiver"));
    }

    @Test
    void prometheus_readsTheRules_andTokensFromFiles() throws Exception {
        JsonNode settings = yaml("prometheus/prometheus.yml");

        assertThat(settings.path("rule_files"))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(FOLDER.resolve("prometheus/" + file.asText()))
                        .exists());
        assertThat(settings.path("scrape_configs"))
                .hasSize(2)
                .allSatisfy(job -> assertThat(
                                job.at("/authorization/credentials_file").asText())
                        .isNotEmpty());
    }

    @Test
    void collector_usesWhatItDeclares() throws Exception {
        JsonNode settings = yaml("collector.yaml");

        for (String kind : List.of("receivers", "processors", "exporters")) {
            Set<String> used = new TreeSet<>();
            settings.at("/service/pipelines")
                    .forEach(pipeline -> pipeline.path(kind).forEach(name -> used.add(name.asText())));
            Set<String> declared = new TreeSet<>();
            settings.path(kind).fieldNames().forEachRemaining(declared::add);
            assertThat(declared).as(kind).isNotEmpty().isEqualTo(used);
        }
    }

    private static String problems(String query) {
        return String.join("\n", Query.read(query, scrape, Set.of()).problems());
    }

    private static Set<String> alerts() throws IOException {
        return new TreeSet<>(yaml("prometheus/rules.yml").findValuesAsText("alert"));
    }

    private static JsonNode yaml(String file) throws IOException {
        String text = Files.readString(FOLDER.resolve(file));
        return new ObjectMapper()
                .valueToTree(new Load(LoadSettings.builder().setLabel(file).build()).loadFromString(text));
    }
}
