package dev.understudy.kubernetes.inject;

import dev.understudy.kubernetes.manifest.Manifest;
import dev.understudy.kubernetes.manifest.ManifestException;
import dev.understudy.kubernetes.manifest.ManifestFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Puts an understudy into a service's manifests. What it doesn't have to change is written as it came. */
public final class ManifestInjection {
    private final List<Manifest> input;
    private final TappedService service;
    private final List<String> notes = new ArrayList<>();

    private ManifestInjection(List<Manifest> input, TappedService service) {
        this.input = input;
        this.service = service;
    }

    /**
     * Makes the changed manifests, in the order in which they have to be applied.
     *
     * @throws ManifestException if there is nothing that can be injected, with the way out
     */
    public static InjectionResult inject(List<Manifest> input, InjectionOptions options) throws ManifestException {
        TappedService service = TappedService.of(deployment(input, options.deployment()), options);
        return new ManifestInjection(input, service).result();
    }

    private InjectionResult result() throws ManifestException {
        InjectionOptions options = service.options();
        Map<String, String> debugEnv = new LinkedHashMap<>(options.env());
        debugEnv.putAll(options.debugEnv());
        ContainerVariables production = new ContainerVariables(
                new UpstreamAddresses(service.aggregator(), UpstreamPorts::production, service.upstreams()),
                options.env());
        ContainerVariables debug = new ContainerVariables(
                new UpstreamAddresses(
                        TappedService.address(service.aggregatorDebug()), UpstreamPorts::debug, service.upstreams()),
                debugEnv);
        SidecarInjection sidecar = new SidecarInjection(service, production);
        DebugDeployment copy = new DebugDeployment(service, debug);
        AggregatorManifests aggregator = new AggregatorManifests(service);
        List<Manifest> made = new ArrayList<>(sidecar.companions());
        made.add(copy.front());
        made.addAll(aggregator.companions());
        made.addAll(new IsolationManifests(service).manifests());
        made.add(aggregator.deployment());
        Manifest debugJvm = copy.deployment();
        checkInput(made);
        checkInput(List.of(debugJvm));
        List<Manifest> all = new ArrayList<>();
        List<Manifest> fronts = new ArrayList<>();
        List<Manifest> others = new ArrayList<>();
        for (Manifest one : input) {
            if (one.kind().equals("Namespace")) {
                all.add(one);
            } else if (isLed(one, sidecar)) {
                fronts.add(sidecar.front(one));
            } else {
                others.add(one.equals(service.manifest()) ? sidecar.deployment() : one);
            }
        }
        checkFronts(fronts);
        all.addAll(made);
        all.addAll(others);
        all.add(debugJvm);
        all.addAll(fronts);
        noteMissed(production);
        notes.addAll(copy.notes());
        return new InjectionResult(List.copyOf(all), List.copyOf(notes));
    }

    /** What would be made twice, lead to our pods or have several of production's. */
    private void checkInput(List<Manifest> made) throws ManifestException {
        for (Manifest one : input) {
            for (Manifest ours : made) {
                if (one.kind().equals(ours.kind()) && one.name().equals(ours.name()) && service.isNeighbour(one)) {
                    throw new ManifestException(one.kind() + " " + one.name()
                            + " is in the input, and would be made (expected: input without it if it was made by this"
                            + " command, or else another name for it)");
                }
            }
            if (one.kind().equals("Service") && service.isNeighbour(one)) {
                checkSelector(one);
            }
            if (one.kind().equals("HorizontalPodAutoscaler") && service.isNeighbour(one)) {
                checkScale(one);
            }
        }
    }

    private void checkSelector(Manifest front) throws ManifestException {
        Map<String, Object> selector = ManifestFields.map(front.tree(), "spec", "selector");
        String app = ManifestFields.text(selector, "app");
        if (selector.size() == 1 && (app.equals(service.debug()) || app.equals(service.aggregator()))) {
            throw new ManifestException("Service " + front.name() + " would lead to pods that are made, which have the"
                    + " label app: " + app + " (expected: a selector with another value or a second label)");
        }
    }

    private void checkScale(Manifest scaler) throws ManifestException {
        Map<String, Object> spec = ManifestFields.map(scaler.tree(), "spec");
        Map<String, Object> target = ManifestFields.map(spec, "scaleTargetRef");
        boolean ours = ManifestFields.text(target, "kind").equals("Deployment")
                && ManifestFields.text(target, "name").equals(service.name());
        if (ours && ManifestFields.number(spec, "maxReplicas") != 1) {
            throw new ManifestException("HorizontalPodAutoscaler " + scaler.name() + " may give Deployment "
                    + service.name() + " more pods (expected: maxReplicas: 1, as an aggregator serves one sidecar;"
                    + " or one pod in a Deployment of its own, which nothing scales)");
        }
    }

    private boolean isLed(Manifest one, SidecarInjection sidecar) throws ManifestException {
        if (!sidecar.isFront(one)) {
            return false;
        }
        if (!SidecarInjection.isHeadless(one)) {
            return true;
        }
        String headless = "Service " + one.name() + " is headless, so its clients come to the pods' own port "
                + service.port() + ", past the sidecar";
        if (!service.options().service().isEmpty()) {
            throw new ManifestException(headless + " (expected: one with an address of its own)");
        }
        notes.add(headless + ": let them use one with an address of its own");
        return false;
    }

    private void checkFronts(List<Manifest> fronts) throws ManifestException {
        String wanted = service.options().service();
        if (fronts.isEmpty() && !wanted.isEmpty()) {
            throw new ManifestException("no Service " + wanted + " that leads to port " + service.port()
                    + " of these pods (expected: one of the input)");
        }
        if (fronts.isEmpty()) {
            notes.add("no Service of the input leads to port " + service.port()
                    + ", so nothing is copied: give its file, too, or set its targetPort to " + SidecarInjection.PORT);
        }
    }

    private void noteMissed(ContainerVariables production) {
        for (UpstreamSpec upstream : production.missed()) {
            notes.add("container " + service.container() + " doesn't name " + upstream.host() + ":" + upstream.port()
                    + ", so its calls to " + upstream.name()
                    + " aren't recorded: set its variables, as in --env 'NAME={"
                    + upstream.name() + ".address}', where host and port are known, too");
        }
    }

    private static Manifest deployment(List<Manifest> input, String wanted) throws ManifestException {
        List<Manifest> deployments = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (Manifest one : input) {
            if (one.kind().equals("Deployment") && (wanted.isEmpty() || wanted.equals(one.name()))) {
                deployments.add(one);
            } else if (!one.kind().isEmpty()) {
                others.add(one.kind() + " " + one.name());
            }
        }
        if (deployments.isEmpty()) {
            throw new ManifestException("no Deployment" + (wanted.isEmpty() ? "" : " " + wanted) + " among "
                    + (others.isEmpty() ? "no manifests" : String.join(", ", others))
                    + " (expected: one, as a document of its own)");
        }
        if (deployments.size() > 1) {
            List<String> names = new ArrayList<>();
            for (Manifest one : deployments) {
                names.add(one.name());
            }
            throw new ManifestException(
                    "several Deployments (expected: --deployment with one of " + String.join(", ", names) + ")");
        }
        return deployments.get(0);
    }
}
