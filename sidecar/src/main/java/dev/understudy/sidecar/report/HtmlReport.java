package dev.understudy.sidecar.report;

import dev.understudy.divergence.latency.PercentileTest;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The report as one HTML page that needs nothing else: no network, no script; light and dark as the reader's system is.
 */
public final class HtmlReport {
    private static final int CAUSES = 100;
    private static final int EXAMPLES = 12;
    private static final int PLOTS = 20;
    private static final int RULES = 200;
    private static final String STYLE = """
            body{max-width:70rem;margin:2rem auto;padding:0 1rem}
            h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem;border-bottom:1px solid var(--line)}
            h3{font-size:1rem}
            table{display:block;width:auto;max-width:100%;overflow-x:auto;margin:.5rem 0}
            td,th{padding:.25rem .5rem}
            td.n,th.n{text-align:right;white-space:pre;font-variant-numeric:tabular-nums}
            pre{background:var(--card);padding:.5rem;margin:.25rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
            section.cause{border-left:4px solid var(--debug);padding-left:1rem;margin:1.5rem 0}
            section.cause section.cause{border-left-color:var(--line)}
            .lead{font-size:1.1rem}.failed{border:2px solid var(--bad);padding:.5rem 1rem}
            svg{max-width:34rem;width:100%;font-size:11px}svg text{fill:currentColor}
            .grid{stroke:var(--line)}polyline{fill:none;stroke-width:2}
            b.production{color:var(--production)}b.debug{color:var(--debug)}
            """;

    private final Report report;
    private final Markup page = new Markup();

    private HtmlReport(Report report) {
        this.report = report;
    }

    /**
     * The page.
     *
     * @param failures why the session failed, by the rules that were asked for
     */
    public static String of(Report report, List<String> failures) {
        return new HtmlReport(report).write(failures);
    }

    private String write(List<String> failures) {
        page.beginPage("Understudy: report of a session", STYLE);
        page.element("h1", "Understudy: report of a session");
        page.element("p", report.session().since() + " to " + report.session().until(), "class", "quiet");
        if (!failures.isEmpty()) {
            page.open("div", "class", "failed").element("b", "Failed by the rules that were asked for:");
            page.open("ul");
            failures.forEach(failure -> page.element("li", failure));
            page.close("ul").close("div");
        }
        for (Report.Part part : report.parts()) {
            part(part);
        }
        epochs();
        rules();
        learned();
        for (Session.Calls calls : report.session().outgoing()) {
            calls(calls);
        }
        return page.close("body").close("html").toString();
    }

    /** Only where there was another one than the session's first. */
    private void epochs() {
        List<Session.Epoch> epochs = report.session().epochs();
        if (epochs.size() < 2) {
            return;
        }
        page.element("h2", "Epochs: when the debug JVM was brought back into production's state, or got other code");
        page.open("table").open("tr");
        List.of("epoch", "from", "because of", "how", "patch", "compared", "differed", "overflows")
                .forEach(title -> page.element("th", title));
        page.close("tr");
        for (Session.Epoch epoch : epochs) {
            page.open("tr").element("td", Integer.toString(epoch.epoch()));
            page.element("td", Instant.ofEpochMilli(epoch.fromMillis()).toString());
            page.element("td", epoch.cause().toLowerCase(Locale.ROOT));
            page.element(
                    "td",
                    epoch.epoch() == 1
                            ? ""
                            : epoch.state() + ", " + epoch.tookMillis() + " ms"
                                    + (epoch.problem().isEmpty() ? "" : ": " + epoch.problem()));
            page.element("td", epoch.patch());
            count(epoch.compared());
            count(epoch.different());
            count(epoch.overflows());
            page.close("tr");
        }
        page.close("table");
    }

    private void part(Report.Part part) {
        page.element("h2", part.name());
        String sentence = Report.sentence(part);
        page.element("p", sentence, "class", "lead");
        page.open("p").element("b", "Fidelity: ").text(part.copy().fidelity()).close("p");
        page.open("table").open("tr");
        part.verdicts().keySet().forEach(kind -> page.element("th", kind, "class", "n"));
        page.close("tr").open("tr");
        part.verdicts().values().forEach(this::count);
        page.close("tr").close("table");
        if (!part.copy().notCompared().isEmpty()) {
            page.element("p", "Not compared, by reason: " + part.copy().notCompared(), "class", "quiet");
        }
        causes(part);
        routes(part);
        plots(part);
        noise(part);
    }

    private void causes(Report.Part part) {
        page.element("h3", "Divergences, first causes first");
        if (part.firstCauses().isEmpty()) {
            page.element("p", "None.");
            return;
        }
        page.element(
                "p",
                "A divergence stands below an earlier one if it may only follow from it, by "
                        + "what both have in common. That is a" + " presumption.",
                "class",
                "quiet");
        int[] left = {CAUSES};
        part.firstCauses().forEach(node -> cause(part, node, left));
        if (left[0] < 0 || part.copy().ungrouped() > 0) {
            page.element(
                    "p",
                    "Left out: " + Math.max(0, -left[0]) + " more sorts of divergences, which the JSON report has, and "
                            + Report.grouped(part.copy().ungrouped()) + " divergences of sorts that weren't kept.");
        }
    }

    private void cause(Report.Part part, FirstCauses.Node node, int[] left) {
        if (left[0]-- > 0) {
            page.open("section", "class", "cause");
            Session.Cause cause = node.cause();
            page.element("h3", Report.name(cause));
            page.open("p").text(Report.grouped(cause.count()) + (cause.count() == 1 ? " exchange, " : " exchanges, "));
            page.text("first " + cause.first().exchange() + ", last " + cause.last());
            page.text(node.why() == null ? "" : "; " + node.why()).close("p");
            cause.examples().forEach(example -> example(part, example));
            node.followers().forEach(follower -> cause(part, follower, left));
            page.close("section");
        } else {
            node.followers().forEach(follower -> cause(part, follower, left));
        }
    }

    private void example(Report.Part part, Session.Example example) {
        page.open("p").text("Exchange " + example.exchange() + ": ").element("code", example.request());
        page.text(example.trace() == null ? "" : ", trace " + example.trace()).close("p");
        page.open("table").open("tr").element("th", "where").element("th", "how");
        page.element("th", "production").element("th", "debug").close("tr");
        List<Session.Shown> real = example.differences().stream()
                .filter(shown -> shown.noise() == null)
                .toList();
        for (Session.Shown shown : real.subList(0, Math.min(EXAMPLES, real.size()))) {
            page.open("tr").open("td").element("code", shown.path()).close("td");
            page.element("td", shown.type());
            SideBySide.write(page, shown.production(), shown.debug());
            page.close("tr");
        }
        page.close("table");
        page.element("pre", String.join("\n", Reproduction.of(part.copy(), example)));
    }

    private void routes(Report.Part part) {
        page.element("h3", "Routes");
        page.element("p", part.cost().statement(), "class", "quiet");
        page.open("table").open("tr").element("th", "route");
        for (String head : new String[] {
            "same", "equivalent", "different", "not compared", "taken out, µs", "median, ms", "p99, ms", "in general"
        }) {
            page.element("th", head, "class", "n");
        }
        page.close("tr");
        for (Session.Route route : part.copy().routes()) {
            page.open("tr").open("td").element("code", route.route()).close("td");
            part.verdicts().keySet().forEach(kind -> count(route.verdicts(kind)));
            double taken = part.cost().of(route.route());
            page.element("td", taken == 0 ? "" : String.format(Locale.ROOT, "%.1f", taken), "class", "n");
            Speed speed = part.speeds().getOrDefault(route.route(), part.speed());
            Speed.Tests tests = speed.tests();
            if (tests == null) {
                page.element("td", speed.sentence(), "colspan", "3", "class", "quiet");
            } else {
                percentile(tests.median());
                PercentileTest p99 = tests.p99();
                if (p99 == null) {
                    page.element("td", "too few", "class", "quiet");
                } else {
                    percentile(p99);
                }
                page.element(
                        "td",
                        String.format(
                                Locale.ROOT,
                                "%s effect\nδ %+.2f (%s)",
                                tests.all().size(),
                                tests.all().delta(),
                                Speed.probability(tests.all().p())),
                        "class",
                        "n");
            }
            page.close("tr");
        }
        page.close("table");
        page.element(
                "p",
                "Times are from a request's arrival to the end of its reply, where both "
                        + "sides answered in full. Of all: Mann–Whitney's"
                        + " test and Cliff's δ (how much more often debug's time is the longer "
                        + "one); of percentiles: Fisher's exact test."
                        + " Both take requests as independent of each other; many routes make "
                        + "chance findings likelier.",
                "class",
                "quiet");
    }

    private void percentile(PercentileTest test) {
        page.element(
                "td",
                String.format(Locale.ROOT, "%.2f → %.2f\n", test.production(), test.debug())
                        + Speed.percent(test.change()) + " (" + Speed.probability(test.p()) + ")",
                "class",
                "n");
    }

    private void plots(Report.Part part) {
        List<Map.Entry<String, Speed>> most = part.speeds().entrySet().stream()
                .filter(entry -> entry.getValue().tests() != null)
                .sorted(Comparator.comparingLong(entry -> -entry.getValue().exchanges()))
                .toList();
        if (most.isEmpty()) {
            return;
        }
        page.element("h3", "How many answers had come after how long");
        page.open("p").element("b", "production", "class", "production").text(" and ");
        page.element("b", "debug (dashed)", "class", "debug");
        page.text(most.size() > PLOTS ? ", the " + PLOTS + " routes with the most answers of " + most.size() : "");
        page.close("p");
        for (Map.Entry<String, Speed> one : most.subList(0, Math.min(PLOTS, most.size()))) {
            page.open("figure").open("figcaption").element("code", one.getKey()).close("figcaption");
            DistributionPlot.write(
                    page, one.getValue().production(), one.getValue().debug());
            page.close("figure");
        }
    }

    private void noise(Report.Part part) {
        List<Session.Place> fired = part.copy().places().stream()
                .filter(place -> place.noise() != null)
                .toList();
        page.element("h3", "Noise that was overlooked");
        page.open("table")
                .open("tr")
                .element("th", "route")
                .element("th", "where")
                .element("th", "why");
        page.element("th", "exchanges", "class", "n").close("tr");
        for (Session.Place place : fired.subList(0, Math.min(RULES, fired.size()))) {
            page.open("tr").open("td").element("code", place.route()).close("td");
            page.open("td").element("code", place.path()).close("td").element("td", String.valueOf(place.noise()));
            count(place.count());
            page.close("tr");
        }
        page.close("table");
        if (fired.size() > RULES || part.copy().unplaced() > 0) {
            page.element(
                    "p",
                    "Left out: " + Math.max(0, fired.size() - RULES) + " more places, and "
                            + Report.grouped(part.copy().unplaced()) + " differences at places that weren't kept.");
        }
    }

    private void rules() {
        if (report.session().rules().isEmpty()) {
            return;
        }
        page.element("h2", "Noise rules");
        page.open("table")
                .open("tr")
                .element("th", "debug")
                .element("th", "route")
                .element("th", "where");
        page.element("th", "value").element("th", "fired", "class", "n").close("tr");
        List<Session.Rule> rules = report.session().rules();
        for (Session.Rule rule : rules.subList(0, Math.min(RULES, rules.size()))) {
            page.open("tr").element("td", rule.debug()).open("td").element("code", rule.route());
            page.close("td").open("td").element("code", rule.path()).close("td").element("td", rule.value());
            count(rule.fired());
            page.close("tr");
        }
        page.close("table");
        if (rules.size() > RULES) {
            page.element("p", "Left out: " + (rules.size() - RULES) + " more rules, which the JSON report has.");
        }
    }

    private void learned() {
        List<Session.Learned> learned = report.session().learned();
        if (learned.isEmpty()) {
            return;
        }
        page.element("h2", "Noise that was learned");
        page.open("table").open("tr").element("th", "debug").element("th", "route");
        page.element("th", "where").element("th", "kind").element("th", "seen before", "class", "n");
        page.element("th", "overlooked", "class", "n").element("th", "something else", "class", "n");
        page.close("tr");
        for (Session.Learned place : learned.subList(0, Math.min(RULES, learned.size()))) {
            page.open("tr").element("td", place.debug()).open("td").element("code", place.route());
            page.close("td")
                    .open("td")
                    .element("code", place.path())
                    .close("td")
                    .element("td", place.kind());
            count(place.seen());
            count(place.fired());
            count(place.broken());
            page.close("tr");
        }
        page.close("table");
        if (learned.size() > RULES) {
            page.element("p", "Left out: " + (learned.size() - RULES) + " more places, which the JSON report has.");
        }
    }

    private void calls(Session.Calls calls) {
        page.element("h2", "Upstream calls of " + calls.debug());
        page.element(
                "p",
                "Of " + Report.grouped(calls.same()) + " exchanges both made the same calls, of "
                        + Report.grouped(calls.different()) + " other ones; " + Report.grouped(calls.notCompared())
                        + " weren't compared.");
        if (calls.first().isEmpty()) {
            return;
        }
        page.open("table")
                .open("tr")
                .element("th", "exchange", "class", "n")
                .element("th", "what")
                .element("th", "upstream");
        page.element("th", "production").element("th", "debug").close("tr");
        for (Session.CallsOf one : calls.first()) {
            for (Session.Call call : one.differences()) {
                page.open("tr");
                count(one.exchange());
                page.element("td", call.kind()).element("td", call.upstream());
                SideBySide.write(page, call.production(), call.debug());
                page.close("tr");
            }
        }
        page.close("table");
        long left = calls.different() - calls.first().size();
        if (left > 0) {
            page.element("p", "Left out: those of " + Report.grouped(left) + " later exchanges.");
        }
    }

    private void count(long number) {
        page.element("td", Report.grouped(number), "class", "n");
    }
}
