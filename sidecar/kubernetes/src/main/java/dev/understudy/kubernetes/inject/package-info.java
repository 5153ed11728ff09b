/**
 * Puts an understudy into a service's manifests.
 *
 * <pre>
 *   Deployment, Services ──▶ TappedService ──▶ SidecarInjection       the pods get a sidecar, Services lead to it
 *          (input)                │
 *                                 ├──▶ AggregatorManifests    what production's upstream calls go through
 *                                 ├──▶ DebugDeployment        the same image with the agent
 *                                 └──▶ IsolationManifests     what neither may reach
 * </pre>
 */
@NullMarked
package dev.understudy.kubernetes.inject;

import org.jspecify.annotations.NullMarked;
