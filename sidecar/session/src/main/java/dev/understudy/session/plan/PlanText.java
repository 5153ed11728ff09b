package dev.understudy.session.plan;

import dev.understudy.session.clone.CloneCheck;
import dev.understudy.session.clone.CloneCheck.Outcome;
import dev.understudy.session.target.FileUse;
import dev.understudy.session.target.JvmFacts;
import dev.understudy.session.target.ListeningPort;
import dev.understudy.session.target.OpenFile;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.TlsUse;
import dev.understudy.session.target.UnixPeer;
import dev.understudy.session.target.UpstreamAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A session's plan for people, in lines of at most 100 columns. No secret is in it. */
public final class PlanText {
    private static final int MOST_SHOWN = 20;
    private static final int MOST_NAMES = 5;

    private PlanText() {}

    /** All of it. */
    public static String of(SessionPlan plan) {
        TextPage page = new TextPage();
        TargetSurvey survey = plan.target().survey();
        PlanConsequences consequences = PlanConsequences.of(plan);
        target(page, plan.target(), survey);
        if (survey != null) {
            page.part("Listens on", shown(survey.ports().stream().map(PlanText::port)));
            page.part("Upstreams", shown(survey.upstreams().stream().map(PlanText::upstream)));
            page.part("Unix sockets", shown(survey.unixPeers().stream().map(PlanText::peer)));
            page.part("Files", shown(survey.files().stream().map(PlanText::file)));
        }
        page.part(
                "Recorded from its start on",
                shown(plan.target().upstreams().stream().map(PlanText::upstream)));
        copy(page, plan);
        page.part("The copy has", consequences.copyHas());
        page.part("The copy doesn't have", consequences.copyLacks());
        page.part("Made on this machine, removed at the end", consequences.changes());
        page.part(
                "Missing",
                plan.missing().stream()
                        .map(need -> need.name() + ": " + need.wayOut())
                        .toList());
        page.part("Not seen", survey == null ? List.of() : shown(survey.notes().stream()));
        page.heading(plan.isPossible() ? "Nothing was changed." : "Nothing was changed. A session can't be begun yet.");
        return page.toString();
    }

    private static void target(TextPage page, PlannedTarget target, @Nullable TargetSurvey survey) {
        page.heading("Target: " + MaskedCommand.text(target.name()));
        List<String> command =
                survey == null ? target.command() : survey.process().command();
        page.line(String.join(" ", MaskedCommand.of(command)));
        if (target.container() != null) {
            page.line("image " + MaskedCommand.text(target.container().image()) + ", "
                    + target.container().engine());
        }
        if (survey != null) {
            JvmFacts jvm = survey.jvm();
            page.line("process " + survey.process().pid() + " of user "
                    + survey.process().uid() + ", "
                    + PlanConsequences.megabytes(survey.residentBytes()) + " in memory, " + survey.threads()
                    + " threads");
            page.line("Java " + jvm.version() + ", collector " + jvm.collector()
                    + (jvm.heapLimit().isEmpty() ? "" : ", " + jvm.heapLimit())
                    + (jvm.isAttachable() ? "" : "; its options allow no agent to be loaded"));
            if (!jvm.agents().isEmpty()) {
                page.line("agents: " + MaskedCommand.text(String.join(", ", jvm.agents())));
            }
        }
    }

    private static String port(ListeningPort port) {
        return address(port.address()) + "  " + port.protocol() + tls(port.tls()) + " ("
                + MaskedCommand.text(port.guess()) + "), " + PlanConsequences.count(port.connections(), "client");
    }

    private static String upstream(UpstreamAddress upstream) {
        String names = upstream.names().stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
        return address(upstream.address()) + (names.isEmpty() ? "" : " (" + names + ")") + "  " + upstream.protocol()
                + tls(upstream.tls()) + " (" + MaskedCommand.text(upstream.guess()) + ")"
                + (upstream.connections() == 0 ? "" : unrecorded(upstream.connections()))
                + (upstream.isLive() ? ", live: reads of the copy reach it" : "");
    }

    private static String unrecorded(int connections) {
        return ", " + PlanConsequences.count(connections, "connection") + ", unrecorded until the pool renews "
                + (connections == 1 ? "it" : "them");
    }

    private static String tls(TlsUse tls) {
        return switch (tls) {
            case YES -> " with TLS";
            case NO -> " without TLS";
            case UNKNOWN -> ", TLS unknown";
        };
    }

    private static String address(InetSocketAddress address) {
        String host = address.getAddress().isAnyLocalAddress()
                ? "*"
                : address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    private static String peer(UnixPeer peer) {
        return (peer.path().isEmpty() ? "without a name" : MaskedCommand.text(peer.path())) + ", "
                + PlanConsequences.count(peer.connections(), "connection");
    }

    private static String file(OpenFile file) {
        String uses = Stream.of(FileUse.values())
                .filter(file.uses()::contains)
                .map(use -> use.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        return MaskedCommand.text(file.path()) + "  " + uses
                + (file.bytes() < 0 ? "" : ", " + ((file.bytes() + 1023) >> 10) + " KB");
    }

    private static void copy(TextPage page, SessionPlan plan) {
        page.heading("Copy: "
                + plan.chosen()
                        .map(driver -> driver.state() + ", by the driver " + driver.name() + suspension(driver))
                        .orElse("none; every driver refuses"));
        plan.fallback().ifPresent(why -> page.line(MaskedCommand.text(why)));
        for (DriverPlan driver : plan.drivers()) {
            List<CloneCheck> shown = driver.forecast().checks().stream()
                    .filter(check -> check.outcome() != Outcome.PASS)
                    .toList();
            page.line(driver.name() + " (" + driver.state() + "): "
                    + (driver.forecast().isPossible() ? "possible" : "refuses") + ", "
                    + PlanConsequences.count(driver.forecast().checks().size(), "check"));
            shown.forEach(check -> page.line("  " + check.outcome().name().toLowerCase(Locale.ROOT) + " " + check.name()
                    + ": " + MaskedCommand.text(check.finding())));
        }
        if (plan.drivers().isEmpty()) {
            page.line("no driver is for this target");
        }
    }

    private static String suspension(DriverPlan driver) {
        return driver.forecast().suspension().isZero()
                ? "; production isn't suspended"
                : String.format(
                        Locale.ROOT,
                        "; production is suspended for about %.1f s",
                        driver.forecast().suspension().toMillis() / 1000.0);
    }

    private static List<String> shown(Stream<String> lines) {
        List<String> all = lines.toList();
        if (all.size() <= MOST_SHOWN) {
            return all;
        }
        List<String> shown = new ArrayList<>(all.subList(0, MOST_SHOWN));
        shown.add("and " + (all.size() - MOST_SHOWN) + " more; --json shows all");
        return shown;
    }
}
