package dev.understudy.agent.fork;

import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;

/**
 * The application in a forked JVM on Spring WebFlux and Reactor Netty, whose work is done on another thread than the
 * loop's.
 */
public final class WebFluxServer {
    private WebFluxServer() {}

    public static void main(String[] arguments) {
        HttpHandler routes = RouterFunctions.toHttpHandler(
                RouterFunctions.route(RequestPredicates.GET("/{quantity}"), WebFluxServer::answer)
                        .andRoute(RequestPredicates.GET("/meet/{way}"), WebFluxServer::meet));
        DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .protocol(
                        Boolean.getBoolean("h2c")
                                ? new HttpProtocol[] {HttpProtocol.H2C, HttpProtocol.HTTP11}
                                : new HttpProtocol[] {HttpProtocol.HTTP11})
                .handle(new ReactorHttpHandlerAdapter(routes))
                .bindNow();
        System.out.println("by " + server.channel().getClass().getSimpleName());
        System.out.println("port " + server.port());
        server.onDispose().block();
    }

    static Mono<ServerResponse> meet(ServerRequest request) {
        String way = request.pathVariable("way");
        return Mono.fromCallable(() -> Meeting.of(way))
                .subscribeOn(Schedulers.boundedElastic())
                .flatMap(text -> ServerResponse.ok().bodyValue(text));
    }

    static Mono<ServerResponse> answer(ServerRequest request) {
        int quantity = Integer.parseInt(request.pathVariable("quantity"));
        return Mono.fromCallable(() -> "price " + SmallServer.price(quantity))
                .subscribeOn(Schedulers.boundedElastic())
                .flatMap(text -> ServerResponse.ok().bodyValue(text));
    }
}
