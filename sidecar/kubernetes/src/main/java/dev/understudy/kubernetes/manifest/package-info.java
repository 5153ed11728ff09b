/**
 * Kubernetes' manifests: documents of YAML as trees that can be changed and written again.
 */
@NullMarked
package dev.understudy.kubernetes.manifest;

import org.jspecify.annotations.NullMarked;
