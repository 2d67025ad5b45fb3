package io.plat.apiserver.endpoint;

import io.plat.apiserver.authentication.account.TokenIssuer;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.operations.ScaleOperations;
import io.plat.apiserver.permission.WritePermissions;
import io.plat.apiserver.podlog.PodLogDirectory;
import io.plat.apiserver.representation.Negotiation;
import io.plat.apiserver.representation.Preferences;
import io.plat.apiserver.roles.EscalationGuard;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.ResourceType.Subresource;
import io.plat.apiserver.type.Target;
import io.plat.engine.Authorizer;
import io.plat.http.authentication.BearerTokenAuthenticator;
import io.plat.review.ResourceAttributes;
import io.plat.review.request.RequestInfo.ResourceRequest;
import io.plat.review.status.StatusException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Handler of requests for resources: finds the type, then the operation for method and path. */
public final class ResourceEndpoints {
    private static final Set<String> ACROSS_NAMESPACES = Set.of("list", "watch");
    private static final Set<String> WAITING = Set.of(PodLogEndpoint.LOG, "exec", "attach", "portforward");
    private static final Set<String> FORWARDING = Set.of("proxy", "redirect");

    private final ServedTypes types;
    private final StoredEndpoint stored;
    private final PodLogEndpoint logs;
    private final AuthorizationReviews reviews;
    private final AuthenticationReviews identities;
    private final TokenRequestEndpoint tokenRequests;
    private final WatchRequestParser watchParser =
            new WatchRequestParser(() -> ThreadLocalRandom.current().nextDouble());

    /**
     * Parts of the endpoints.
     *
     * @param authorizer authorizer of requests, which also answers reviews
     * @param ignoresRoles whether stored role objects grant nothing
     * @param podLogs directory of pod logs; null if not configured
     */
    public record Parts(
            ServedTypes types,
            ResourceOperations operations,
            Authorizer authorizer,
            BooleanSupplier ignoresRoles,
            EscalationGuard escalation,
            RequestBodies bodies,
            InstantSource clock,
            BearerTokenAuthenticator tokens,
            TokenIssuer issuer,
            @Nullable PodLogDirectory podLogs) {}

    public ResourceEndpoints(Parts parts) {
        this.types = parts.types();
        var writes = new WriteRequestParser(
                parts.escalation(),
                new WritePermissions(parts.authorizer(), parts.types(), parts.operations()),
                parts.bodies(),
                parts.operations());
        this.stored = new StoredEndpoint(parts.operations(), parts.authorizer(), writes, parts.ignoresRoles());
        this.logs = new PodLogEndpoint(parts.operations(), parts.podLogs(), parts.clock());
        this.reviews = new AuthorizationReviews(
                parts.authorizer(), writes::virtual, parts.bodies().limit());
        this.identities = new AuthenticationReviews(writes::virtual, parts.clock(), parts.tokens());
        this.tokenRequests = new TokenRequestEndpoint(
                writes::virtual,
                parts.operations(),
                parts.issuer(),
                parts.operations().identity(),
                resource -> types.find("", "v1", resource));
    }

    private ResourceType core(String resource) {
        return types.find("", "v1", resource).orElseThrow();
    }

    EndpointResult serve(Call call, ResourceRequest request) throws StatusException {
        ResourceType type = type(call, request);
        ResourceAttributes access = request.access();
        if (type.form() != null
                || !access.subresource().isEmpty()
                || type.verbs().contains(access.verb())) {
            type.warning().ifPresent(call::warn);
        }
        return request.access().verb().equals("watch")
                ? new EndpointResult.OpenWatch(watchParser.request(call, type, request))
                : answer(call, type, request.access());
    }

    private ApiResponse answer(Call call, ResourceType type, ResourceAttributes access) throws StatusException {
        RequestOptions.checkTimeout(call.info().query());
        return switch (access.subresource()) {
            case "exec", "attach", "portforward" -> {
                stored.admitConnection(call, type, access);
                throw ApiErrors.notImplemented(access.subresource());
            }
            case TokenRequestEndpoint.SUBRESOURCE -> tokenRequests.answer(call, type, access);
            case PodLogEndpoint.LOG -> logs.answer(call, type, access);
            case "binding" -> stored.bind(call, pod(access), core("bindings"));
            case "eviction" -> stored.evict(call, pod(access));
            case ScaleOperations.PART ->
                stored.scale(call, new Target(type, access.namespace(), access.name()), access.verb());
            default -> type.virtual() ? virtual(call, type, access) : stored.answer(call, type, access);
        };
    }

    private Target pod(ResourceAttributes access) {
        return new Target(core("pods"), access.namespace(), access.name());
    }

    /** Returns whether the response neither blocks nor delays others, unlike lists and objects that must be encoded. */
    boolean answersFromMemory(Call call, ResourceRequest request) {
        ResourceAttributes access = request.access();
        return access.verb().equals("get")
                && !access.name().isEmpty()
                && !WAITING.contains(access.subresource())
                && stored.readsFromMemory()
                && Negotiation.copies(Preferences.of(call.incoming()));
    }

    private ResourceType type(Call call, ResourceRequest request) throws StatusException {
        ResourceAttributes access = request.access();
        if (FORWARDING.contains(request.prefix())) {
            throw ApiErrors.notImplemented(request.prefix());
        }
        ResourceType type =
                types.find(access.group(), access.version(), access.resource()).orElseThrow(ApiErrors::notFound);
        if (access.subresource().equals("proxy")) {
            throw ApiErrors.notImplemented("proxy");
        }
        Optional<Subresource> part = type.subresource(access.subresource());
        if ((part.isEmpty() && !access.subresource().isEmpty())
                || !request.tail().isEmpty()) {
            if (type.form() == null) {
                throw ApiErrors.notFound();
            }
            type.warning().ifPresent(call::warn);
            throw ApiErrors.notFound(type, access.name());
        }
        // The name of a list stems from a field selector.
        if (type.virtual() && !access.name().isEmpty() && !access.verb().equals("list")) {
            throw ApiErrors.notFound();
        }
        requireScope(type, access, !request.prefix().isEmpty() && !access.name().isEmpty());
        if ((!request.prefix().isEmpty() && !request.reads())
                || !verbs(type, part).contains(access.verb())) {
            throw type.isCustom() ? ApiErrors.methodNotSupported(type, access.verb()) : ApiErrors.methodNotAllowed();
        }
        return type;
    }

    private static List<String> verbs(ResourceType type, Optional<Subresource> part) {
        return part.map(Subresource::verbs).orElse(type.verbs());
    }

    /** Requires a namespaced object to be requested below its namespace, and others not below any. */
    private static void requireScope(ResourceType type, ResourceAttributes access, boolean individual)
            throws StatusException {
        // /namespaces/x is the namespace x itself; /namespaces/x/namespaces does not exist.
        boolean itself = access.resource().equals("namespaces") && access.name().equals(access.namespace());
        boolean ofNamespace = !access.namespace().isEmpty() && !itself;
        if (ofNamespace && !type.namespaced()) {
            throw ApiErrors.notFound();
        }
        // The name of a watch may stem from a field selector, which applies to all namespaces.
        boolean acrossNamespaces = !individual && !type.virtual() && ACROSS_NAMESPACES.contains(access.verb());
        if (type.namespaced() && access.namespace().isEmpty() && !acrossNamespaces) {
            throw access.name().isEmpty() && !type.virtual() && type.form() == null
                    ? ApiErrors.methodNotAllowed()
                    : ApiErrors.notFound();
        }
    }

    private ApiResponse virtual(Call call, ResourceType type, ResourceAttributes access) throws StatusException {
        Optional<ApiResponse> review = reviews.answer(call, type, access);
        if (review.isPresent()) {
            return review.get();
        }
        return switch (type.resource()) {
            case "bindings" -> stored.bind(call, pod(access), type);
            case "tokenreviews" -> identities.token(call, type);
            default -> identities.selfSubject(call, type);
        };
    }
}
