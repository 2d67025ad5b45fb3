package io.plat.apiserver.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.re2j.Pattern;
import io.plat.apiserver.audit.AuditEvent.AuthorizationResult;
import io.plat.apiserver.audit.AuditEvent.Outcome;
import io.plat.apiserver.audit.AuditEvent.Payload;
import io.plat.apiserver.audit.policy.Level;
import io.plat.apiserver.timestamp.Timestamps;
import io.plat.engine.Decision;
import io.plat.http.lines.LineLog.LineForm;
import io.plat.review.AccessAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.json.JsonText;
import io.plat.review.status.StatusCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Encoder of events as one line of JSON each, field by field as kube-apiserver does ({@code audit.k8s.io/v1}, kind {@code Event}). A line
 * is ASCII and contains no line ends or terminal control characters.
 *
 * @param withTypeMeta whether an event states its kind and apiVersion; events in an {@code EventList} do not
 */
record EventEncoder(boolean withTypeMeta) implements LineForm<AuditEvent> {
    static final String API_VERSION = "audit.k8s.io/v1";

    private static final String DECISION = "authorization.k8s.io/decision";
    private static final String AUTHORIZER = "authorization.plat.io/authorizer";
    private static final int MAX_USER_AGENT = 1024;
    private static final String TRUNCATED = "...TRUNCATED";
    private static final int OVERHEAD = 1024;
    private static final int FORBIDDEN = 403;

    /** Query parameter that may carry a bearer token (RFC 6750, section 2.3), with any percent-encoding of its name. */
    private static final Pattern URI_TOKEN = Pattern.compile("access_token"
            .chars()
            .mapToObj("(?:%1$c|%%%1$x)"::formatted)
            .collect(Collectors.joining("", "(?i)([?&;]", "(?:=|%3d))[^&;]*")));

    private static final Set<String> MANAGED = Set.of(
            "/metadata/managedFields", "/items/*/metadata/managedFields", "/rows/*/object/metadata/managedFields");

    /** Types whose bodies carry bearer tokens: token reviews and token requests. */
    private static final Set<String> TOKENS = Set.of("/spec/token", "/status/token");

    /** Fields recorded in addition to the masked token; any other field may hold a token too. */
    private static final Set<String> SAFE_FIELDS =
            Set.of(("/kind /apiVersion /metadata/name /metadata/namespace /metadata/creationTimestamp "
                            + "/spec/audiences/* /spec/expirationSeconds /spec/boundObjectRef/kind "
                            + "/spec/boundObjectRef/apiVersion /spec/boundObjectRef/name /spec/boundObjectRef/uid "
                            + "/status/authenticated /status/audiences/* /status/expirationTimestamp "
                            + "/status/user/username /status/user/uid /status/user/groups/*")
                    .split(" ", -1));

    @Override
    public int bytes(AuditEvent event) {
        return OVERHEAD + event.requestObject().bytes() + event.responseObject().bytes();
    }

    @Override
    public void write(AuditEvent event, ByteArrayOutputStream lines) {
        ByteArrayOutputStream line = new ByteArrayOutputStream(OVERHEAD);
        try (JsonGenerator json = ObjectRedactor.JSON.createGenerator(line)) {
            json.writeStartObject();
            members(event, json);
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new UncheckedIOException("writing to memory", impossible);
        }
        lines.writeBytes(line.toByteArray());
        lines.write('\n');
    }

    private void members(AuditEvent event, JsonGenerator json) throws IOException {
        AuditedRequest request = event.request();
        Bodies bodies = Bodies.of(event);
        if (withTypeMeta) {
            json.writeStringField("kind", "Event");
            json.writeStringField("apiVersion", API_VERSION);
        }
        json.writeStringField("level", event.auditConfig().level().word());
        json.writeStringField("auditID", request.id());
        json.writeStringField("stage", event.stage().word());
        text(json, "requestURI", URI_TOKEN.matcher(request.uri()).replaceAll("$1" + ObjectRedactor.MARK));
        json.writeStringField("verb", JsonText.wellFormed(request.access().verb()));
        user(json, "user", request.user());
        if (event.impersonated() != null) {
            user(json, "impersonatedUser", event.impersonated());
        }
        texts(json, "sourceIPs", request.sources());
        text(json, "userAgent", truncated(request.userAgent()));
        objectRef(json, event);
        outcome(json, event.outcome(), carriesTokens(request.access()));
        raw(json, "requestObject", bodies.requestObject());
        raw(json, "responseObject", bodies.responseObject());
        json.writeStringField("requestReceivedTimestamp", Timestamps.MICROS.format(request.received()));
        json.writeStringField("stageTimestamp", Timestamps.MICROS.format(event.time()));
        annotations(json, event, bodies.incomplete());
    }

    /**
     * Text of the objects of an event; null for absent ones.
     *
     * @param incomplete whether an object that should be recorded is missing
     */
    private record Bodies(
            @Nullable String requestObject, @Nullable String responseObject, boolean incomplete) {
        static Bodies of(AuditEvent event) {
            ObjectRedactor copier = carriesTokens(event.request().access())
                    ? ObjectRedactor.ofKnown(SAFE_FIELDS, TOKENS)
                    : new ObjectRedactor(event.auditConfig().omitsManagedFields() ? MANAGED : Set.of(), Set.of());
            @Nullable String requestObject = null;
            @Nullable String responseObject = null;
            boolean incomplete = event.responseObject().tooLarge();
            if (event.auditConfig().level().includes(Level.REQUEST)) {
                requestObject = copy(copier, event.requestObject());
                incomplete |= event.requestObject().tooLarge()
                        || (requestObject == null && event.requestObject().bytes() > 0);
            }
            if (event.auditConfig().level().includes(Level.REQUEST_RESPONSE)) {
                responseObject = copy(copier, event.responseObject());
                incomplete |= responseObject == null && event.responseObject().bytes() > 0;
            }
            return new Bodies(requestObject, responseObject, incomplete);
        }

        private static @Nullable String copy(ObjectRedactor copier, Payload payload) {
            byte @Nullable [] json = payload.json();
            return json == null || json.length == 0 ? null : copier.copy(json);
        }
    }

    private static boolean carriesTokens(AccessAttributes access) {
        return access instanceof ResourceAttributes resource
                && (resource.resource().equals("tokenreviews")
                        || resource.subresource().equals("token"));
    }

    private static void objectRef(JsonGenerator json, AuditEvent event) throws IOException {
        if (!(event.request().access() instanceof ResourceAttributes access)) {
            return;
        }
        byte @Nullable [] body = event.requestObject().json();
        Map<String, String> sent = body == null ? Map.of() : ObjectRedactor.metadata(body);
        json.writeObjectFieldStart("objectRef");
        text(json, "resource", access.resource());
        text(json, "namespace", access.namespace().isEmpty() ? sent.getOrDefault("namespace", "") : access.namespace());
        text(json, "name", access.name().isEmpty() ? sent.getOrDefault("name", "") : access.name());
        text(json, "uid", sent.getOrDefault("uid", ""));
        text(json, "apiGroup", access.group());
        text(json, "apiVersion", access.version());
        text(json, "resourceVersion", sent.getOrDefault("resourceVersion", ""));
        text(json, "subresource", access.subresource());
        json.writeEndObject();
    }

    private static void outcome(JsonGenerator json, @Nullable Outcome outcome, boolean carriesTokens)
            throws IOException {
        switch (outcome) {
            case null -> {}
            case Outcome.Responded responded -> {
                status(json);
                json.writeNumberField("code", responded.code());
                json.writeEndObject();
            }
            case Outcome.Succeeded done -> {
                status(json);
                json.writeStringField("status", "Success");
                json.writeObjectFieldStart("details");
                text(json, "name", done.details().name());
                text(json, "group", done.details().group());
                text(json, "kind", done.details().kind());
                text(json, "uid", done.details().uid());
                json.writeEndObject();
                json.writeNumberField("code", done.code());
                json.writeEndObject();
            }
            case Outcome.Failed failed -> {
                // The reason for refusing a body may repeat parts of it.
                boolean repeats = carriesTokens && failed.status().code() != FORBIDDEN;
                ObjectRedactor withoutType = new ObjectRedactor(
                        Set.of("/kind", "/apiVersion"), repeats ? Set.of("/message", "/details") : Set.of());
                raw(json, "responseStatus", withoutType.copy(StatusCodec.encode(failed.status())));
            }
            case Outcome.Closed() ->
                raw(
                        json,
                        "responseStatus",
                        "{\"metadata\":{},\"status\":\"Success\",\"message\":\"Connection closed"
                                + " early\",\"code\":200}");
        }
    }

    private static void status(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("responseStatus");
        json.writeObjectFieldStart("metadata");
        json.writeEndObject();
    }

    private static void user(JsonGenerator json, String name, @Nullable UserInfo user) throws IOException {
        json.writeObjectFieldStart(name);
        if (user != null) {
            text(json, "username", user.name());
            text(json, "uid", user.uid());
            texts(json, "groups", user.groups());
            if (!user.extra().isEmpty()) {
                json.writeObjectFieldStart("extra");
                for (Map.Entry<String, List<String>> extra : new TreeMap<>(user.extra()).entrySet()) {
                    array(json, JsonText.wellFormed(extra.getKey()), extra.getValue());
                }
                json.writeEndObject();
            }
        }
        json.writeEndObject();
    }

    private static void annotations(JsonGenerator json, AuditEvent event, boolean incomplete) throws IOException {
        Map<String, String> annotations = new TreeMap<>(event.annotations());
        @Nullable AuthorizationResult authorization = event.authorization();
        if (authorization != null) {
            // If no mode allowed it, all of them decided; the mode that allowed is named below.
            annotations.put(AUTHORIZER, authorization.modes());
            decision(authorization.decision(), annotations);
            String revision = authorization.policyRevision().text();
            if (!revision.isEmpty()) {
                annotations.put("authorization.plat.io/policy-revision", revision);
            }
        }
        if (incomplete) {
            annotations.put("audit.k8s.io/truncated", "true");
        }
        if (!annotations.isEmpty()) {
            json.writeObjectFieldStart("annotations");
            for (Map.Entry<String, String> annotation : annotations.entrySet()) {
                json.writeStringField(annotation.getKey(), JsonText.wellFormed(annotation.getValue()));
            }
            json.writeEndObject();
        }
    }

    private static void decision(Decision decision, Map<String, String> annotations) {
        String reason = switch (decision) {
            case Decision.Allow allow -> {
                annotations.put(DECISION, "allow");
                annotations.put(AUTHORIZER, allow.grant().authorizer());
                yield allow.reason();
            }
            case Decision.Deny deny -> {
                annotations.put(DECISION, "forbid");
                yield deny.reason();
            }
            case Decision.NoOpinion noOpinion -> {
                annotations.put(DECISION, "forbid");
                yield noOpinion.reason();
            }
            // As in Kubernetes, for an undecided request: a reason, but no decision.
            case Decision.Undecided _ -> "internal error";
        };
        annotations.put("authorization.k8s.io/reason", reason);
    }

    private static void text(JsonGenerator json, String name, String value) throws IOException {
        if (!value.isEmpty()) {
            json.writeStringField(name, JsonText.wellFormed(value));
        }
    }

    private static void texts(JsonGenerator json, String name, List<String> values) throws IOException {
        if (!values.isEmpty()) {
            array(json, name, values);
        }
    }

    private static void array(JsonGenerator json, String name, List<String> values) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(JsonText.wellFormed(value));
        }
        json.writeEndArray();
    }

    private static void raw(JsonGenerator json, String name, @Nullable String value) throws IOException {
        if (value != null) {
            json.writeFieldName(name);
            json.writeRawValue(value);
        }
    }

    private static String truncated(String userAgent) {
        return userAgent.length() <= MAX_USER_AGENT ? userAgent : userAgent.substring(0, MAX_USER_AGENT) + TRUNCATED;
    }
}
