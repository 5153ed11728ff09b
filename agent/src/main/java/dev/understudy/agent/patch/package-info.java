/**
 * Other code for classes of the application, while it runs.
 *
 * <pre>
 *   PatchOrder ──GET /v1/orders/patch/…──▶ PatchJar ──classes──▶ PatchTransformer ──▶ the transformers that weave
 *       └──retransform: all classes or none──▶ JVM
 * </pre>
 *
 * <p>The patch is one more transformer, before those that weave: they weave what it gives, classes that are loaded
 * later get it, and it is taken back by retransforming without it.
 */
@NullMarked
package dev.understudy.agent.patch;

import org.jspecify.annotations.NullMarked;
