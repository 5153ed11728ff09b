/**
 * The protocol of MySQL and MariaDB: packets, the handshake and what commands carry (MySQL source documentation,
 * "Client/Server Protocol"; MariaDB manual, "Client/Server Protocol").
 *
 * <p>{@link dev.understudy.divergence.wire.mysql.PacketFramer} cuts either direction into packets; what one means
 * depends on the capabilities that both ends have agreed on
 * ({@link dev.understudy.divergence.wire.mysql.Capabilities}).
 */
@NullMarked
package dev.understudy.divergence.wire.mysql;

import org.jspecify.annotations.NullMarked;
