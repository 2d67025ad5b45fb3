package io.plat.apiserver.authentication.account;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.authentication.AccountName;
import io.plat.apiserver.storage.Key;
import io.plat.http.authentication.jwt.Claims;
import io.plat.review.UserInfo;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Claims of a service account token, in the form of kube-apiserver.
 *
 * @param pod pod to which it is bound
 * @param secret secret to which it is bound
 * @param id {@code jti} of the token, or {@code ""}
 */
public record AccountClaims(
        AccountName account,
        String uid,
        Optional<ObjectReference> pod,
        Optional<ObjectReference> secret,
        Optional<ObjectReference> node,
        String id) {
    private static final String OWN = "kubernetes.io";
    private static final String EXTRA = "authentication.kubernetes.io/";

    /** Creates the claims of a token that is bound to its account only. */
    public static AccountClaims of(AccountName account, String uid) {
        return new AccountClaims(account, uid, Optional.empty(), Optional.empty(), Optional.empty(), "");
    }

    /**
     * Returns the claims bound to a pod.
     *
     * @param nodeName node of the pod; {@code ""} if it is unscheduled
     */
    public AccountClaims toPod(ObjectReference bound, String nodeName) {
        Optional<ObjectReference> on =
                nodeName.isEmpty() ? Optional.empty() : Optional.of(new ObjectReference(nodeName, ""));
        return new AccountClaims(account, uid, Optional.of(bound), secret, on, id);
    }

    public AccountClaims toSecret(ObjectReference bound) {
        return new AccountClaims(account, uid, pod, Optional.of(bound), node, id);
    }

    AccountClaims withId(String jti) {
        return new AccountClaims(account, uid, pod, secret, node, jti);
    }

    /** Reads the claims; empty unless they are those of a service account token. */
    static Optional<AccountClaims> read(Claims claims) {
        JsonNode own = claims.tree().path(OWN);
        Optional<AccountName> subject = AccountName.ofUser(claims.subject());
        Optional<ObjectReference> account = reference(own, "serviceaccount");
        if (subject.isEmpty()
                || account.isEmpty()
                || account.get().uid().isEmpty()
                || !subject.get()
                        .equals(new AccountName(
                                text(own, "namespace"), account.get().name()))) {
            return Optional.empty();
        }
        for (String what : List.of("pod", "secret", "node")) {
            // An incomplete reference, or one without a possible name, would bind to nothing.
            if (own.hasNonNull(what) && reference(own, what).isEmpty()) {
                return Optional.empty();
            }
        }
        return Optional.of(new AccountClaims(
                subject.get(),
                account.get().uid(),
                reference(own, "pod"),
                reference(own, "secret"),
                reference(own, "node"),
                claims.id()));
    }

    private static Optional<ObjectReference> reference(JsonNode own, String what) {
        JsonNode reference = own.path(what);
        String name = text(reference, "name");
        return Key.isPart(name) ? Optional.of(new ObjectReference(name, text(reference, "uid"))) : Optional.empty();
    }

    private static String text(JsonNode parent, String name) {
        JsonNode value = parent.path(name);
        return value.isTextual() ? value.textValue() : "";
    }

    UserInfo user() {
        Map<String, List<String>> extra = new LinkedHashMap<>();
        if (!id.isEmpty()) {
            extra.put(UserInfo.CREDENTIAL_ID, List.of("JTI=" + id));
        }
        pod.ifPresent(reference -> describe("pod", reference, extra));
        node.ifPresent(reference -> describe("node", reference, extra));
        return new UserInfo(account.user(), uid, account.groups(), extra);
    }

    private static void describe(String what, ObjectReference reference, Map<String, List<String>> extra) {
        extra.put(EXTRA + what + "-name", List.of(reference.name()));
        if (!reference.uid().isEmpty()) {
            extra.put(EXTRA + what + "-uid", List.of(reference.uid()));
        }
    }

    /**
     * Returns the claims of a new token.
     *
     * @param audiences audiences, at least one
     */
    ObjectNode write(List<String> audiences, long seconds, String issuer, Instant now) {
        if (audiences.isEmpty() || seconds < 1) {
            throw new IllegalArgumentException("a token needs an audience and a lifetime");
        }
        ObjectNode claims = JsonNodeFactory.instance.objectNode();
        audiences.forEach(claims.putArray("aud")::add);
        claims.put("exp", now.getEpochSecond() + seconds);
        claims.put("iat", now.getEpochSecond());
        claims.put("iss", issuer);
        claims.put("jti", id);
        ObjectNode own = claims.putObject(OWN).put("namespace", account.namespace());
        node.ifPresent(bound -> own.putObject("node").put("name", bound.name()));
        pod.ifPresent(bound -> write(own, "pod", bound));
        secret.ifPresent(bound -> write(own, "secret", bound));
        write(own, "serviceaccount", new ObjectReference(account.name(), uid));
        claims.put("nbf", now.getEpochSecond());
        claims.put("sub", account.user());
        return claims;
    }

    private static void write(ObjectNode own, String what, ObjectReference reference) {
        own.putObject(what).put("name", reference.name()).put("uid", reference.uid());
    }

    /**
     * Reference to an object by name and uid.
     *
     * @param uid its uid; {@code ""} for an unknown node
     */
    public record ObjectReference(String name, String uid) {}
}
