package io.plat.fronts.authzen;

import io.plat.fronts.Decisions;
import io.plat.fronts.Intake;
import io.plat.fronts.JsonNegotiation;
import io.plat.fronts.ResponseHeaders;
import io.plat.fronts.authzen.EvaluationRequest.Part;
import io.plat.http.HttpsServer;
import io.plat.http.StatusResponses;
import io.plat.review.codec.ResponseDocument;
import io.plat.review.source.Quoted;
import io.plat.review.status.Status;
import io.plat.review.status.StatusCodec;
import io.plat.review.status.StatusReason;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Handler of the AuthZEN Authorization API 1.0. Never blocks. */
public final class AuthZen extends Handler.Wrapper {
    private static final String API = "/access/v1/";
    private static final String METADATA = "/.well-known/authzen-configuration";
    private static final String EVALUATION = API + "evaluation";
    private static final String EVALUATIONS = API + "evaluations";
    private static final Map<String, Part> SEARCHES = Map.of(
            API + "search/subject", Part.SUBJECT,
            API + "search/action", Part.ACTION,
            API + "search/resource", Part.RESOURCE);

    private static final Status NOT_JSON =
            Status.of(StatusReason.BAD_REQUEST, "Content-Type: expected " + StatusResponses.JSON);

    /** Maximum number of concurrent searches; each may use a whole processor. */
    private static final int MAX_CONCURRENT_SEARCHES = 4;

    private final Decisions decisions;
    private final Settings settings;
    private final Intake evaluating;
    private final Intake searching;

    /**
     * Settings of the API.
     *
     * @param publicUrl the public URL of this server; null for the local address of the connection
     * @param file the mapping, or null for the default mapping
     */
    public record Settings(
            @Nullable URI publicUrl, @Nullable MappingFile file) {
        Mapping mapping(boolean search) {
            return file == null ? Mapping.DEFAULT : file.current(search);
        }
    }

    /**
     * Creates a handler.
     *
     * @param evaluating admission of evaluations
     */
    public AuthZen(Decisions decisions, Settings settings, Intake evaluating) {
        this.decisions = decisions;
        this.settings = settings;
        this.evaluating = evaluating;
        this.searching = evaluating.withLimit(MAX_CONCURRENT_SEARCHES);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = String.valueOf(request.getHttpURI().getPath());
        if (path.equals(EVALUATION) || path.equals(EVALUATIONS)) {
            boolean many = path.equals(EVALUATIONS);
            evaluating.take(
                    request,
                    response,
                    callback,
                    refusal(request),
                    exchange -> new EvaluationExchange(decisions, settings.mapping(false), many, exchange));
            return true;
        }
        Part part = SEARCHES.get(path);
        if (part != null) {
            Status refused = decisions.reasonPolicy().refusal(request);
            searching.take(
                    request,
                    response,
                    callback,
                    refused == null ? refusal(request) : refused,
                    exchange -> new SearchExchange(decisions, settings.mapping(true), part, exchange));
            return true;
        }
        if (path.equals(METADATA) || path.equals(METADATA + publicPath())) {
            metadata(request, response, callback);
            return true;
        }
        return super.handle(request, response, callback);
    }

    /** Returns the reason for rejecting a request: bodies are JSON and say so (AuthZEN 1.0, "HTTPS JSON Binding"). */
    private static @Nullable Status refusal(Request request) {
        Status refused = JsonNegotiation.refusal(request);
        return refused == null && !request.getHeaders().contains(HttpHeader.CONTENT_TYPE) ? NOT_JSON : refused;
    }

    private String publicPath() {
        URI known = settings.publicUrl();
        return known == null ? "" : known.getRawPath();
    }

    private void metadata(Request request, Response response, Callback callback) {
        if (StatusResponses.refusesWrite(request, response, callback)) {
            return;
        }
        String url = url(request);
        byte[] body = ResponseDocument.written(json -> {
            json.writeStringField("policy_decision_point", url);
            json.writeStringField("access_evaluation_endpoint", url + EVALUATION);
            json.writeStringField("access_evaluations_endpoint", url + EVALUATIONS);
            for (String kind : List.of("subject", "resource", "action")) {
                json.writeStringField("search_" + kind + "_endpoint", url + API + "search/" + kind);
            }
        });
        response.setStatus(200);
        response.getHeaders().put(ResponseHeaders.JSON);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "private, max-age=300");
        response.write(true, StatusResponses.body(request, response, body), callback);
    }

    /** Returns the URL of this server: the configured one, or the local address of the connection, but never the {@code Host} of the request. */
    private String url(Request request) {
        URI known = settings.publicUrl();
        if (known != null) {
            return known.toString();
        }
        return HttpsServer.url(
                (InetSocketAddress) request.getConnectionMetaData().getLocalSocketAddress());
    }

    /** Handler in front of all others that copies the client's request identifier to the response, and sends 400 in place of 415. */
    public static final class Responses extends Handler.Wrapper {
        private static final String FIELD = "X-Request-ID";
        private static final int MAX_LENGTH = 256;

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            String path = String.valueOf(request.getHttpURI().getPath());
            if (!path.startsWith(API) && !path.startsWith(METADATA)) {
                return super.handle(request, response, callback);
            }
            StatusResponses.setForm(request, Responses::refuse);
            List<String> given = request.getHeaders().getValuesList(FIELD);
            if (given.isEmpty() || given.getFirst().isEmpty()) {
                return super.handle(request, response, callback);
            }
            String id = given.getFirst();
            if (given.size() > 1 || id.length() > MAX_LENGTH || !id.chars().allMatch(c -> c >= ' ' && c <= '~')) {
                StatusResponses.answer(
                        request,
                        response,
                        callback,
                        Status.of(
                                StatusReason.BAD_REQUEST,
                                FIELD + ": expected one value of at most " + MAX_LENGTH
                                        + " visible ASCII characters, found " + Quoted.of(id)));
                return true;
            }
            response.getHeaders().put(FIELD, id);
            return super.handle(request, response, callback);
        }

        private static void refuse(Request request, Response response, Callback callback, Status status) {
            Status sent = status.reason() == StatusReason.UNSUPPORTED_MEDIA_TYPE ? NOT_JSON : status;
            StatusResponses.answer(request, response, callback, sent, StatusResponses.JSON, StatusCodec.encode(sent));
        }
    }
}
