package dev.understudy.it.fidelity.redis;

import dev.understudy.it.fidelity.Suite;
import dev.understudy.it.fidelity.server.RedisServer;
import dev.understudy.it.fidelity.server.Server;
import java.util.List;

/** One that begins with an empty Redis. */
interface RedisSuite extends Suite {
    @Override
    default Server.Kind server() {
        return Server.Kind.REDIS;
    }

    @Override
    default List<String> programs() {
        return List.of("redis-cli");
    }

    @Override
    default void prepare(Server server) throws Exception {
        ((RedisServer) server).clear();
    }
}
