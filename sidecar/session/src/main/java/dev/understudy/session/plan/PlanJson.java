package dev.understudy.session.plan;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.session.clone.CloneCheck;
import dev.understudy.session.target.ContainerFacts;
import dev.understudy.session.target.ListeningPort;
import dev.understudy.session.target.OpenFile;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.UnixPeer;
import dev.understudy.session.target.UpstreamAddress;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** A session's plan for programs. No secret is in it. */
public final class PlanJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private PlanJson() {}

    /** All of it, as an object. */
    public static ObjectNode of(SessionPlan plan) {
        ObjectNode json = JSON.createObjectNode();
        json.put("possible", plan.isPossible());
        ObjectNode target = json.putObject("target")
                .put("name", MaskedCommand.text(plan.target().name()));
        ContainerFacts container = plan.target().container();
        if (container != null) {
            target.putObject("container")
                    .put("engine", container.engine())
                    .put("id", container.id())
                    .put("name", container.name())
                    .put("image", MaskedCommand.text(container.image()));
        }
        TargetSurvey survey = plan.target().survey();
        texts(
                target.putArray("command"),
                MaskedCommand.of(
                        survey == null
                                ? plan.target().command()
                                : survey.process().command()));
        if (survey != null) {
            survey(target, survey);
        } else {
            upstreams(target, plan.target().upstreams());
        }
        copy(json, plan);
        PlanConsequences consequences = PlanConsequences.of(plan);
        texts(json.putArray("copyHas"), consequences.copyHas());
        texts(json.putArray("copyLacks"), consequences.copyLacks());
        texts(json.putArray("changes"), consequences.changes());
        ArrayNode missing = json.putArray("missing");
        plan.missing()
                .forEach(need -> missing.addObject().put("name", need.name()).put("wayOut", need.wayOut()));
        return json;
    }

    private static void survey(ObjectNode target, TargetSurvey survey) {
        target.put("pid", survey.process().pid())
                .put("startTicks", survey.process().startTicks())
                .put("uid", survey.process().uid())
                .put("residentBytes", survey.residentBytes())
                .put("threads", survey.threads());
        ObjectNode jvm = target.putObject("jvm")
                .put("home", MaskedCommand.text(survey.jvm().home().toString()))
                .put("version", survey.jvm().version())
                .put("collector", survey.jvm().collector())
                .put("heapLimit", survey.jvm().heapLimit())
                .put("attachable", survey.jvm().isAttachable());
        texts(jvm.putArray("flags"), MaskedCommand.of(survey.jvm().flags()));
        texts(jvm.putArray("agents"), MaskedCommand.of(survey.jvm().agents()));
        ArrayNode ports = target.putArray("ports");
        for (ListeningPort port : survey.ports()) {
            ports.addObject()
                    .put("address", port.address().getAddress().getHostAddress())
                    .put("port", port.address().getPort())
                    .put("protocol", port.protocol())
                    .put("guess", MaskedCommand.text(port.guess()))
                    .put("tls", word(port.tls()))
                    .put("connections", port.connections());
        }
        upstreams(target, survey.upstreams());
        ArrayNode peers = target.putArray("unixPeers");
        for (UnixPeer peer : survey.unixPeers()) {
            peers.addObject().put("path", MaskedCommand.text(peer.path())).put("connections", peer.connections());
        }
        ArrayNode files = target.putArray("files");
        for (OpenFile file : survey.files()) {
            ObjectNode one = files.addObject()
                    .put("path", MaskedCommand.text(file.path()))
                    .put("bytes", file.bytes());
            texts(
                    one.putArray("uses"),
                    file.uses().stream().map(PlanJson::word).sorted().toList());
        }
        texts(target.putArray("notes"), survey.notes());
    }

    private static void upstreams(ObjectNode target, List<UpstreamAddress> all) {
        ArrayNode upstreams = target.putArray("upstreams");
        for (UpstreamAddress upstream : all) {
            ObjectNode one = upstreams
                    .addObject()
                    .put("address", upstream.address().getAddress().getHostAddress())
                    .put("port", upstream.address().getPort())
                    .put("loopback", upstream.isLoopback())
                    .put("protocol", upstream.protocol())
                    .put("guess", MaskedCommand.text(upstream.guess()))
                    .put("tls", word(upstream.tls()))
                    .put("connections", upstream.connections())
                    .put("live", upstream.isLive());
            texts(one.putArray("names"), upstream.names());
        }
    }

    private static void copy(ObjectNode json, SessionPlan plan) {
        plan.chosen()
                .ifPresent(driver -> json.putObject("copy")
                        .put("driver", driver.name())
                        .put("state", driver.state().name())
                        .put("suspensionMillis", driver.forecast().suspension().toMillis()));
        ArrayNode drivers = json.putArray("drivers");
        for (DriverPlan driver : plan.drivers()) {
            ObjectNode one = drivers.addObject()
                    .put("name", driver.name())
                    .put("state", driver.state().name())
                    .put("possible", driver.forecast().isPossible());
            ArrayNode checks = one.putArray("checks");
            for (CloneCheck check : driver.forecast().checks()) {
                checks.addObject()
                        .put("name", check.name())
                        .put("outcome", word(check.outcome()))
                        .put("finding", MaskedCommand.text(check.finding()));
            }
        }
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static void texts(ArrayNode array, Collection<String> texts) {
        texts.forEach(array::add);
    }
}
