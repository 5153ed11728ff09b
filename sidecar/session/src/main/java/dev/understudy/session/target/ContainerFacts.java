package dev.understudy.session.target;

/**
 * A running container.
 *
 * @param engine the program that manages it: docker or podman
 * @param id all of it, 64 hexadecimal digits
 * @param name without a slash before it
 * @param image the name that it was started by
 * @param pid its first process, as this machine counts
 * @param network its network mode, such as host, default or a network's name
 * @param service its compose service; "" without one
 * @param project its compose project; "" without one
 */
public record ContainerFacts(
        String engine,
        String id,
        String name,
        String image,
        long pid,
        String network,
        String service,
        String project) {}
