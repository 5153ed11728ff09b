/**
 * What is known of a service, and the file that holds it: small, readable, to be reviewed like code.
 *
 * <pre>
 *   ServiceModel ─▶ RouteModel ─▶ RequestModel            ModelFile ◀─▶ YAML
 *        │                  └──▶ ReplyModel ─▶ ValueModel
 *        └▶ ArrivalModel
 * </pre>
 */
@NullMarked
package dev.understudy.standin.model;

import org.jspecify.annotations.NullMarked;
