/**
 * A failure in one file: recorded traffic, the upstreams' recorded replies, and what is needed to read both.
 *
 * <pre>
 *   recording, journal, settings ── BundleSources ──▶ BundleWriter ──▶ a zip: manifest.json (BundleManifest) first
 *                                                       │ BundleSignature of the manifest, BundleKey around all
 *   a file from anywhere ──▶ BundleTrust: key, signer ──▶ BundleFile: bounds, names, sums ──▶ BundleContents (inspect)
 *                                                                                        └──▶ BundleFolder (replay)
 * </pre>
 */
@NullMarked
package dev.understudy.session.bundle;

import org.jspecify.annotations.NullMarked;
