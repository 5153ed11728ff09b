package dev.understudy.sidecar.report;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The report as JUnit's XML: a suite of the rules that were asked for, and one for each debug JVM behind a listener
 * with a test for each route. A route with divergences failed if a rule about these did; else they are in its output.
 */
public final class JunitReport {
    private JunitReport() {}

    /**
     * The document.
     *
     * @param rules that were asked for
     */
    public static String of(Report report, List<FailRule> rules) {
        Markup xml = new Markup()
                .raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
                .open("testsuites", "name", "understudy");
        List<String> failures =
                rules.stream().map(rule -> String.valueOf(rule.failure(report))).toList();
        long failed = failures.stream().filter(why -> !why.equals("null")).count();
        suite(xml, "understudy.rules", rules.size(), failed, 0, report);
        boolean different = false;
        for (int i = 0; i < rules.size(); i++) {
            xml.open(
                    "testcase",
                    "classname",
                    "understudy.rules",
                    "name",
                    rules.get(i).toString());
            if (!failures.get(i).equals("null")) {
                xml.element("failure", failures.get(i), "message", failures.get(i));
                different |= rules.get(i).subject() == FailRule.Subject.DIFFERENT;
            }
            xml.close("testcase");
        }
        xml.close("testsuite");
        for (Report.Part part : report.parts()) {
            routes(xml, report, part, different);
        }
        return xml.close("testsuites").toString();
    }

    private static void routes(Markup xml, Report report, Report.Part part, boolean different) {
        String name = "understudy." + part.copy().listener() + "." + part.copy().debug();
        List<Session.Route> routes = part.copy().routes();
        long failed = routes.stream().filter(JunitReport::differs).count();
        suite(
                xml,
                name,
                routes.size(),
                different ? failed : 0,
                routes.stream().filter(JunitReport::unseen).count(),
                report);
        for (Session.Route route : routes) {
            xml.open("testcase", "classname", name, "name", route.route());
            if (unseen(route)) {
                xml.empty("skipped", "message", "none of its exchanges was compared");
            } else if (differs(route)) {
                String message = route.verdicts("DIFFERENT") + " differ";
                String told = part.copy().causes().stream()
                        .filter(cause -> cause.route().equals(route.route()))
                        .map(JunitReport::told)
                        .collect(Collectors.joining("\n"));
                if (different) {
                    xml.element("failure", told, "message", message);
                } else {
                    xml.element("system-out", message + "\n" + told);
                }
            }
            xml.close("testcase");
        }
        xml.close("testsuite");
    }

    private static boolean differs(Session.Route route) {
        return route.verdicts("DIFFERENT") > 0;
    }

    private static boolean unseen(Session.Route route) {
        return route.verdicts("SAME") + route.verdicts("EQUIVALENT") + route.verdicts("DIFFERENT") == 0;
    }

    private static String told(Session.Cause cause) {
        StringBuilder told = new StringBuilder();
        told.append(cause.count())
                .append(" times, first exchange ")
                .append(cause.first().exchange());
        told.append(", ").append(cause.first().request());
        for (Session.Shown shown : cause.first().differences()) {
            if (shown.noise() == null) {
                told.append("\n  ").append(shown.type()).append(' ').append(shown.path());
                told.append(": production ")
                        .append(shown.production())
                        .append(", debug ")
                        .append(shown.debug());
            }
        }
        return told.toString();
    }

    private static void suite(Markup xml, String name, long tests, long failed, long skipped, Report report) {
        xml.open(
                "testsuite",
                "name",
                name,
                "tests",
                String.valueOf(tests),
                "failures",
                String.valueOf(failed),
                "errors",
                "0",
                "skipped",
                String.valueOf(skipped),
                "timestamp",
                report.session().until());
    }
}
