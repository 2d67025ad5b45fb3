package io.plat.apiserver.rules;

import io.plat.apiserver.schema.FieldErrorMessages;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;

/** Computed checks of CertificateSigningRequest objects. */
final class CertificateChecks {
    private static final String PEM = "CERTIFICATE REQUEST";
    private static final List<String> DECISIONS = List.of("Approved", "Denied");

    private CertificateChecks() {}

    static Check of(String name, Template message) {
        return switch (name) {
            case "certificateRequest" -> Checks.reports(field -> !isRequest(field.text()), Field::invalid, message);
            case "signerName" -> (field, at) -> signer(field);
            case "exclusiveAnswer" ->
                (type, at) -> {
                    Set<String> seen = at.list().remember("exclusiveAnswer", HashSet::new);
                    int answer = DECISIONS.indexOf(type.text());
                    if (answer >= 0 && seen.contains(DECISIONS.get(1 - answer))) {
                        type.invalid(message.at(at));
                    }
                    seen.add(type.text());
                };
            case "keptAnswers" -> (conditions, at) -> keptAnswers(conditions);
            default -> AddressChecks.of(name, message);
        };
    }

    /** Returns whether base64-encoded bytes are a PEM certificate request (RFC 2986). */
    private static boolean isRequest(String encoded) {
        try (PemReader reader = new PemReader(
                new StringReader(new String(Base64.getMimeDecoder().decode(encoded), StandardCharsets.UTF_8)))) {
            PemObject pem = reader.readPemObject();
            return pem != null
                    && pem.getType().equals(PEM)
                    && new PKCS10CertificationRequest(pem.getContent()).getSubject() != null;
            // Malformed base64 is an IllegalStateException in one library and an IllegalArgumentException in the other.
        } catch (IOException | RuntimeException malformed) {
            return false;
        }
    }

    private static void signer(Field signer) {
        if (signer.is("kubernetes.io/legacy-unknown")) {
            signer.invalid("the legacy signerName is not allowed via this API version");
        }
        String[] parts = signer.text().split("/", -1);
        if (parts.length != 2) {
            signer.invalid("must be a fully qualified domain and path of the form 'example.com/signer-name'");
            return;
        }
        labels(signer, parts[0], NameRule.LABEL);
        if (parts[0].indexOf('.') < 0) {
            signer.invalid(parts[0], "should be a domain with at least two segments separated by dots");
        }
        labels(signer, parts[1], NameRule.SUBDOMAIN);
    }

    /** Reports the problems of the first invalid label only. */
    private static void labels(Field signer, String name, NameRule rule) {
        for (String label : name.split("\\.", -1)) {
            List<String> problems = rule.problems(label);
            problems.forEach(
                    why -> signer.invalid(name, "validating label " + FieldErrorMessages.quoted(label) + ": " + why));
            if (!problems.isEmpty()) {
                return;
            }
        }
    }

    /** Checks that approvals and denials are not removed. */
    private static void keptAnswers(Field conditions) {
        Set<String> types = new HashSet<>();
        conditions.forEach(condition -> types.add(condition.text("type")));
        for (String type : List.of("Approved", "Denied", "Failed")) {
            boolean before = conditions
                    .old()
                    .valueStream()
                    .anyMatch(old -> type.equals(old.path("type").asText("")));
            if (before && !types.contains(type)) {
                conditions.forbidden("updates may not remove a condition of type " + FieldErrorMessages.quoted(type));
            }
        }
    }
}
