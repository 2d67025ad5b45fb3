package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.authentication.account.IssuerDocuments;
import io.plat.apiserver.discovery.AggregatedDiscovery;
import io.plat.apiserver.discovery.DiscoveryDocuments;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.openapi.OpenApiDocuments;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.http.ServedVersion;
import io.plat.http.health.HealthRegistry;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.page.AccessPage;
import io.plat.review.status.StatusException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;

/** The paths that are no resource, by their first segments. All but one are only read. */
public final class PathEndpoints implements Endpoint {
    /** Decisions as they are made; a stream, which an answer is not. */
    public static final String DECISIONS = "/decisions";

    private static final String RESET = "/resetMetrics";
    private static final Set<String> RESETTING = Set.of("DELETE", "POST");
    private static final Set<String> READING = Set.of("GET", "HEAD");

    private final SequencedMap<String, Endpoint> byPath = new LinkedHashMap<>();
    private final DiscoveryDocuments discovery;
    private final HealthRegistry health;

    /**
     * What the paths show.
     *
     * @param discovery what is served, path by path
     * @param aggregated the same at once
     * @param openApi how it looks
     * @param health the checks
     * @param metrics the meters
     * @param productVersion the version of this program
     * @param logs the folder of log files to show; empty where none is shown
     * @param issuer how others verify tokens of service accounts; empty where no document can say
     */
    public record Sources(
            DiscoveryDocuments discovery,
            AggregatedDiscovery aggregated,
            OpenApiDocuments openApi,
            HealthRegistry health,
            ServerMetrics metrics,
            String productVersion,
            Optional<Path> logs,
            Optional<IssuerDocuments> issuer) {}

    /** The paths of a server. */
    public PathEndpoints(Sources sources) {
        discovery = sources.discovery();
        health = sources.health();
        Endpoint types = new DiscoveryEndpoint(discovery, sources.aggregated());
        byPath.put("/api", types);
        byPath.put("/apis", types);
        for (HealthRegistry.Endpoint question : HealthRegistry.Endpoint.values()) {
            byPath.put("/" + question.word(), new HealthEndpoint(sources.health(), question));
        }
        byPath.put(
                "/metrics",
                exactly(
                        "/metrics",
                        call -> Answer.text(
                                200, ServerMetrics.TYPE, sources.metrics().text())));
        byPath.put("/debug", new DebugEndpoint());
        byPath.put(DECISIONS, exactly(DECISIONS, call -> {
            throw Failures.methodNotAllowed();
        }));
        sources.logs().ifPresent(folder -> byPath.put("/logs", new LogsEndpoint(folder)));
        byPath.put("/openapi/v2", exactly("/openapi/v2", new SwaggerEndpoint(sources.openApi())));
        byPath.put("/openapi/v3", new OpenApiEndpoint(sources.openApi()));
        byPath.put(RESET, exactly(RESET, call -> {
            sources.metrics().resetRequests();
            return Answer.text(200, "text/plain; charset=utf-8", "metrics reset\n");
        }));
        byPath.put("/swagger-ui", new SwaggerUi());
        byPath.put("/swaggerapi", new SwaggerListingEndpoint(sources.openApi()));
        sources.issuer().ifPresent(this::issuer);
        byPath.put(AccessPage.PATH, new PageEndpoint());
        byte[] version = ServedVersion.encode(sources.productVersion());
        byPath.put(
                "/version",
                exactly(
                        "/version",
                        call -> DocumentAnswer.to(call, TypeMeta.UNKNOWN).of(200, version)));
    }

    private void issuer(IssuerDocuments documents) {
        document(IssuerDocuments.CONFIGURATION_PATH, Answer.JSON, documents.configuration());
        document(IssuerDocuments.KEYS_PATH, "application/jwk-set+json", documents.keys());
    }

    /** A document that may be kept for an hour, as keys stay for as long as the server runs. */
    private void document(String path, String contentType, String text) {
        Answer answer = Answer.text(200, contentType, text).with("Cache-Control", List.of("public, max-age=3600"));
        byPath.put(path, exactly(path, call -> answer));
    }

    private static Endpoint exactly(String path, Endpoint endpoint) {
        return call -> {
            if (!Paths.withoutTrailingSlash(call.info().path()).equals(path)) {
                throw Failures.notFound();
            }
            return endpoint.answer(call);
        };
    }

    @Override
    public Answer answer(Call call) throws StatusException {
        Endpoint endpoint = find(call.info().path());
        boolean resets = Paths.withoutTrailingSlash(call.info().path()).equals(RESET);
        if (!(resets ? RESETTING : READING).contains(call.info().method())) {
            throw Failures.methodNotAllowed();
        }
        return endpoint.answer(call);
    }

    /**
     * Whether an admitted request is to be answered with the stream of decisions.
     *
     * @throws StatusException if nobody knows who asks
     */
    boolean showsDecisions(Call call) throws StatusException {
        boolean shows =
                call.info().path().equals(DECISIONS) && call.info().method().equals("GET");
        if (shows) {
            KnownUsers.require(call, "decisions are shown to no anonymous user");
        }
        return shows;
    }

    private Endpoint find(String path) throws StatusException {
        if (path.equals("/")) {
            return this::index;
        }
        Endpoint found = byPath.get(nameOf(path));
        if (found == null) {
            throw Failures.notFound();
        }
        return found;
    }

    /** Which of the paths that are served a path is, or lies below; {@code ""} for none. */
    public String nameOf(String path) {
        for (String known : byPath.keySet()) {
            if (path.startsWith(known) && (path.length() == known.length() || path.charAt(known.length()) == '/')) {
                return known;
            }
        }
        return "";
    }

    /** Every path of discovery, and every check by its name, as clients look here for what a server has. */
    private Answer index(Call call) throws StatusException {
        DocumentAnswer answer = DocumentAnswer.to(call, TypeMeta.UNKNOWN);
        ObjectNode index = JsonNodeFactory.instance.objectNode();
        ArrayNode paths = index.putArray("paths");
        Set<String> all = new TreeSet<>(byPath.keySet());
        all.addAll(discovery.paths());
        for (HealthRegistry.Endpoint question : HealthRegistry.Endpoint.values()) {
            health.names(question).forEach(name -> all.add("/" + question.word() + "/" + name));
        }
        all.forEach(paths::add);
        return answer.of(200, index);
    }
}
