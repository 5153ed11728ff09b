package dev.understudy.sidecar.ranking;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.suspect.Leak;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What agents' reports say of objects that stay: the classes, and the methods that make them or used them last. Takes
 * one report after the other in; confined to one thread.
 */
final class LeaksView {
    private static final int MOST_CLASSES = 20;
    private static final int MOST_SITES = 10;
    private static final int MOST_FRAMES = 30;
    /** Of all agents together. */
    private static final int MOST_LEAKS = 2_000;

    private final List<Map<String, Object>> classes = new ArrayList<>();
    private final List<Leak.Site> sites = new ArrayList<>();
    private final Map<String, Set<String>> staying = new HashMap<>();

    /** Takes one agent's report in. */
    void add(JsonNode report) {
        String agent = report.path("name").asText();
        Set<String> stays = staying.computeIfAbsent(agent, any -> new HashSet<>());
        JsonNode leaks = report.path("leaks");
        int count = 0;
        for (JsonNode growing : leaks.path("growing")) {
            if (sites.size() >= MOST_LEAKS || stays.size() >= MOST_LEAKS) {
                return;
            }
            if (count++ < MOST_CLASSES) {
                classes.add(spell(agent, growing, leaks.path("counts").asInt()));
            }
            stays.add(growing.path("class").asText());
            stays.addAll(texts(growing.path("extends")));
            named(growing.path("sites")).forEach(site -> sites.add(site(agent, growing, site, false)));
            named(growing.path("uses")).forEach(use -> sites.add(site(agent, growing, use, true)));
        }
    }

    /** The classes of which there are more and more live objects. */
    List<Map<String, Object>> classes() {
        return classes;
    }

    /** The methods that make objects that stay, or were the last to use them, or call what did. */
    List<OneRanking.Entry> methods() {
        return Leak.ranked(sites, staying).stream()
                .map(leak -> new OneRanking.Entry(spell(leak), Set.of(leak.method())))
                .toList();
    }

    private static Map<String, Object> spell(String agent, JsonNode growing, int counts) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("agent", agent);
        spelled.put("class", growing.path("class").asText());
        spelled.put("objects", growing.path("objects").asLong());
        spelled.put("more", growing.path("more").asLong());
        spelled.put("perThousand", round(growing.path("perThousand").asDouble()));
        spelled.put("counts", counts);
        double elsewhere = elsewhere(growing.path("sites"));
        if (elsewhere > 0) {
            spelled.put("elsewhere", round(elsewhere));
        }
        return spelled;
    }

    /** The share of those that stay, 0 to 1, that no method of the application made, as far as that is known. */
    private static double elsewhere(JsonNode sites) {
        double elsewhere = 0;
        for (JsonNode site : sites) {
            elsewhere += site.path("methods").isEmpty() ? site.path("part").asDouble() : 0;
        }
        return elsewhere;
    }

    /** The first of them, without those at which no method is the application's. */
    private static List<JsonNode> named(JsonNode sites) {
        List<JsonNode> named = new ArrayList<>();
        int count = 0;
        for (JsonNode site : sites) {
            if (count++ < MOST_SITES && !site.path("methods").isEmpty()) {
                named.add(site);
            }
        }
        return named;
    }

    private static Leak.Site site(String agent, JsonNode growing, JsonNode site, boolean used) {
        double part = Math.max(0, Math.min(1, site.path("part").asDouble()));
        return new Leak.Site(
                agent,
                used,
                texts(site.path("methods")),
                growing.path("class").asText(),
                part,
                growing.path("perThousand").asDouble() * part,
                growing.path("low").asDouble() * part,
                growing.path("high").asDouble() * part,
                site.path("sampled").asLong(),
                site.path("survived").asLong(),
                texts(site.path("stack")));
    }

    private static List<String> texts(JsonNode all) {
        List<String> texts = new ArrayList<>();
        for (JsonNode one : all) {
            if (texts.size() < MOST_FRAMES) {
                texts.add(one.asText());
            }
        }
        return texts;
    }

    private static Map<String, Object> spell(Leak leak) {
        Leak.Site site = leak.site();
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("rank", 0);
        spelled.put("method", leak.method());
        spelled.put("by", leak.by());
        spelled.put("used", site.used());
        spelled.put("class", site.className());
        spelled.put("perThousand", round(site.perThousand()));
        spelled.put("low", round(site.low()));
        spelled.put("high", round(site.high()));
        spelled.put("sampled", site.sampled());
        spelled.put("survived", site.survived());
        spelled.put("also", leak.also());
        spelled.put("stack", site.stack());
        spelled.put("agent", site.agent());
        return spelled;
    }

    private static double round(double value) {
        return Math.round(value * 1e4) / 1e4;
    }
}
