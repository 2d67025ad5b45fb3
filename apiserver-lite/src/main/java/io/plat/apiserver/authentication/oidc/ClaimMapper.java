package io.plat.apiserver.authentication.oidc;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.authentication.Authentication;
import io.plat.apiserver.authentication.Authentication.Authenticated;
import io.plat.apiserver.authentication.Authentication.Refused;
import io.plat.apiserver.authentication.jwt.Claims;
import io.plat.review.UserInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Maps the claims of a verified token to a user, or returns the reason why it cannot. */
record ClaimMapper(IssuerRules rules) {
    private static final String EMAIL = "email";
    private static final String CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

    Authentication user(Claims claims) {
        for (Map.Entry<String, String> required : rules.required().entrySet()) {
            if (!claims.has(required.getKey())) {
                return refused("the required claim \"" + required.getKey() + "\" is missing");
            }
            if (!claims.text(required.getKey()).equals(required.getValue())) {
                return refused("the required claim \"" + required.getKey() + "\" has another value");
            }
        }
        String claim = rules.username().claim();
        String name = claims.text(claim);
        if (name.isEmpty()) {
            return refused("the claim \"" + claim + "\" is not a string, expected the user name");
        }
        if (claim.equals(EMAIL) && !isVerified(claims)) {
            return refused("the email address is not verified");
        }
        Optional<List<String>> groups = groups(claims);
        if (groups.isEmpty()) {
            return refused("the claim \"" + rules.groups().claim() + "\" is neither a string nor a list of strings");
        }
        Map<String, List<String>> extra =
                claims.id().isEmpty() ? Map.of() : Map.of(CREDENTIAL_ID, List.of("JTI=" + claims.id()));
        return new Authenticated(new UserInfo(rules.username().prefix() + name, "", groups.get(), extra));
    }

    /** Returns whether the email address is verified; true if the issuer does not state it, as in kube-apiserver. */
    private static boolean isVerified(Claims claims) {
        JsonNode verified = claims.tree().path("email_verified");
        return verified.isMissingNode() || (verified.isBoolean() && verified.booleanValue());
    }

    private Optional<List<String>> groups(Claims claims) {
        String claim = rules.groups().claim();
        if (claim.isEmpty() || !claims.has(claim) || claims.tree().path(claim).isNull()) {
            return Optional.of(List.of());
        }
        return claims.texts(claim)
                .map(groups -> groups.stream()
                        .filter(group -> !group.isEmpty())
                        .distinct()
                        .map(group -> rules.groups().prefix() + group)
                        .toList());
    }

    static Refused refused(String why) {
        return new Refused("OpenID Connect token: " + why);
    }
}
