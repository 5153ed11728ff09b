import com.github.fppt.jedismock.RedisServer;

/** A Redis server for tests. */
public final class Server {
    public static void main(String[] arguments) throws Exception {
        RedisServer.newRedisServer(Integer.parseInt(arguments[0])).start();
        Thread.currentThread().join();
    }
}
