package dev.understudy.session.target;

/**
 * The namespaces that a process lives in, by the inode numbers that the kernel gives them.
 *
 * @param network the one that its sockets are in
 * @param mount the one that its paths are in
 * @param pid the one that it has its own process id in
 */
public record ProcessNamespaces(long network, long mount, long pid) {}
