package io.plat.http;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.plat.http.health.HealthRegistry;
import io.plat.http.health.HealthRegistry.Endpoint;
import io.plat.http.health.HealthRegistry.HealthResponse;
import io.plat.http.metrics.ServerMetrics;

/** Routes for operators: {@code /livez}, {@code /readyz}, {@code /healthz}, {@code /metrics} and {@code /version}. */
public final class OperatorRoutes {
    private OperatorRoutes() {}

    /**
     * Adds {@code /livez}, {@code /readyz} and {@code /healthz}. Each takes {@code ?verbose} and {@code ?exclude=NAME}, and has a subpath for each
     * check.
     */
    public static void health(RoutesConfig routes, HealthRegistry health) {
        for (Endpoint endpoint : Endpoint.values()) {
            String path = "/" + endpoint.word();
            routes.get(path, context -> answer(context, all(context, health, endpoint)));
            routes.get(
                    path + "/<check>", context -> answer(context, health.answer(endpoint, context.pathParam("check"))));
        }
    }

    /** Adds {@code /metrics}. */
    public static void metrics(RoutesConfig routes, ServerMetrics metrics) {
        routes.get(
                "/metrics", context -> context.contentType(ServerMetrics.TYPE).result(metrics.text()));
    }

    /**
     * Adds {@code /version}.
     *
     * @param product the product's own version
     */
    public static void version(RoutesConfig routes, String product) {
        byte[] document = ServedVersion.encode(product);
        routes.get(
                "/version", context -> context.contentType(StatusResponses.JSON).result(document));
    }

    private static HealthResponse all(Context context, HealthRegistry health, Endpoint endpoint) {
        boolean verbose = context.queryParamMap().containsKey("verbose");
        return health.answer(endpoint, verbose, context.queryParams("exclude"));
    }

    private static void answer(Context context, HealthResponse answer) {
        context.status(answer.code())
                .header("Cache-Control", "no-cache, private")
                .contentType(HealthResponse.TYPE)
                .result(answer.text());
    }
}
