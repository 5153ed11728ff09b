package dev.understudy.kubernetes.inject;

import dev.understudy.kubernetes.manifest.Manifest;
import dev.understudy.kubernetes.manifest.ManifestException;
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
        made.addAll(changed(sidecar));
        made.add(copy.deployment());
        noteMissed(production);
        notes.addAll(copy.notes());
        return new InjectionResult(List.copyOf(made), List.copyOf(notes));
    }

    private List<Manifest> changed(SidecarInjection sidecar) throws ManifestException {
        List<Manifest> changed = new ArrayList<>();
        boolean leads = false;
        for (Manifest one : input) {
            if (one.equals(service.manifest())) {
                changed.add(sidecar.deployment());
            } else if (sidecar.isFront(one)) {
                changed.add(sidecar.front(one));
                leads = true;
            } else {
                changed.add(one);
            }
        }
        if (!leads && !service.options().service().isEmpty()) {
            throw new ManifestException("no Service " + service.options().service() + " that leads to port "
                    + service.port() + " of these pods (expected: one of the input)");
        }
        if (!leads) {
            notes.add("no Service of the input leads to port " + service.port()
                    + ", so nothing is copied: give its file, too, or set its targetPort to " + SidecarInjection.PORT);
        }
        return changed;
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
