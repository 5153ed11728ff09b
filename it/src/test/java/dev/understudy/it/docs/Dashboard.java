package dev.understudy.it.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A dashboard of Grafana: its queries beside the series they are about, and where its panels are. */
final class Dashboard {
    private static final int COLUMNS = 24;
    private static final Pattern LEGEND = Pattern.compile("\\{\\{\\s*(\\w+)\\s*}}");
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((\\w+), (\\w+)\\)");

    /** Grafana's own; the others are declared in the dashboard. */
    private static final Set<String> GIVEN = Set.of("__rate_interval", "__range");

    private final JsonNode root;
    private final Scrape scrape;
    private final Set<String> variables = new TreeSet<>(GIVEN);
    private final List<String> problems = new ArrayList<>();
    private int queries;

    private Dashboard(JsonNode root, Scrape scrape) {
        this.root = root;
        this.scrape = scrape;
        root.at("/templating/list").forEach(this::variable);
        root.path("panels").forEach(this::panel);
        root.at("/annotations/list").forEach(marks -> query("annotation", marks.path("expr"), ""));
        places();
    }

    static Dashboard read(Path file, Scrape scrape) throws IOException {
        return new Dashboard(new ObjectMapper().readTree(file.toFile()), scrape);
    }

    static Dashboard of(JsonNode root, Scrape scrape) {
        return new Dashboard(root, scrape);
    }

    List<String> problems() {
        return List.copyOf(problems);
    }

    /** How many were looked at. */
    int queries() {
        return queries;
    }

    private void variable(JsonNode variable) {
        String name = variable.path("name").asText();
        variables.add(name);
        if (variable.path("type").asText().equals("query")) {
            String query = variable.at("/query/query").asText();
            Matcher values = LABEL_VALUES.matcher(query);
            Map<String, Set<String>> labels = values.matches() ? scrape.metric(values.group(1)) : null;
            boolean isKnown = labels != null && labels.containsKey(values.group(2));
            if (!isKnown) {
                problems.add("variable " + name + ": " + query + " (expected: a metric and one of its labels)");
            }
        }
    }

    private void panel(JsonNode panel) {
        if (panel.path("type").asText().equals("row")) {
            return;
        }
        String title = panel.path("title").asText();
        if (panel.path("description").asText().isBlank()) {
            problems.add(title + ": no description");
        }
        if (panel.at("/fieldConfig/defaults/unit").asText().isBlank()) {
            problems.add(title + ": no unit");
        }
        if (!panel.at("/datasource/uid").asText().equals("${datasource}")) {
            problems.add(title + ": a data source of its own");
        }
        if (panel.path("targets").isEmpty()) {
            problems.add(title + ": no query");
        }
        for (JsonNode target : panel.path("targets")) {
            query(title, target.path("expr"), target.path("legendFormat").asText());
        }
    }

    private void query(String title, JsonNode text, String legend) {
        Query query = Query.read(text.asText(), scrape, variables);
        queries++;
        query.problems().forEach(problem -> problems.add(title + ": " + problem));
        Matcher label = LEGEND.matcher(legend);
        while (label.find()) {
            if (!query.labels().contains(label.group(1))) {
                problems.add(title + ": the legend names " + label.group(1) + " (expected: of " + query.labels() + ")");
            }
        }
    }

    private void places() {
        Set<Integer> ids = new HashSet<>();
        Set<Long> taken = new HashSet<>();
        for (JsonNode panel : root.path("panels")) {
            String title = panel.path("title").asText();
            JsonNode place = panel.path("gridPos");
            int right = place.path("x").asInt() + place.path("w").asInt();
            if (!ids.add(panel.path("id").asInt())) {
                problems.add(title + ": its id is another's");
            }
            if (right > COLUMNS
                    || place.path("w").asInt() < 1
                    || place.path("h").asInt() < 1) {
                problems.add(title + ": isn't within the grid: " + place);
                continue;
            }
            boolean isFree = true;
            for (int x = place.path("x").asInt(); x < right; x++) {
                for (int y = 0; y < place.path("h").asInt(); y++) {
                    isFree &= taken.add((long) (place.path("y").asInt() + y) * COLUMNS + x);
                }
            }
            if (!isFree) {
                problems.add(title + ": lies over another: " + place);
            }
        }
    }
}
