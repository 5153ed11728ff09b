package dev.understudy.kubernetes.inject;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the user says beside the manifests.
 *
 * @param deployment the Deployment to change; empty for the only one
 * @param container the service's container; empty for the only one
 * @param productionPort where production listens; 0 for the container's only port
 * @param protocol what clients speak
 * @param upstreams the upstreams; none for those of the annotation
 * @param service the Service to change; empty for all that lead to production's port
 * @param env variables for both JVMs, with place-holders for the aggregator's addresses
 * @param debugEnv variables for the debug JVM alone, above {@code env}
 * @param keptSecrets variables whose Secrets the debug JVM gets, too
 * @param sidecarPort where the sidecar listens
 * @param controlPort the sidecar's control port; its health port is the next but one
 * @param secret the Secret with the tokens
 * @param imagePrefix stands before the images' names
 * @param imageTag the images' tag; empty for none
 */
public record InjectionOptions(
        String deployment,
        String container,
        int productionPort,
        String protocol,
        List<UpstreamSpec> upstreams,
        String service,
        Map<String, String> env,
        Map<String, String> debugEnv,
        Set<String> keptSecrets,
        int sidecarPort,
        int controlPort,
        String secret,
        String imagePrefix,
        String imageTag) {
    /** The sidecar's port for probes. */
    int healthPort() {
        return controlPort + 2;
    }

    String image(String program) {
        return imagePrefix + program + (imageTag.isEmpty() ? "" : ":" + imageTag);
    }
}
