package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.FieldWords;
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

/** Validation of CertificateSigningRequest objects and of their conditions, with the messages of kube-apiserver. */
final class CertificateRequestCheck {
    static final String STORAGE = "certificatesigningrequests.certificates.k8s.io";
    private static final String PEM = "CERTIFICATE REQUEST";
    private static final int SHORTEST = 600;

    /** What a certificate may be for; sorted, as messages list it. */
    private static final List<String> USAGES = List.of(
            "any",
            "cert sign",
            "client auth",
            "code signing",
            "content commitment",
            "crl sign",
            "data encipherment",
            "decipher only",
            "digital signature",
            "email protection",
            "encipher only",
            "ipsec end system",
            "ipsec tunnel",
            "ipsec user",
            "key agreement",
            "key encipherment",
            "microsoft sgc",
            "netscape sgc",
            "ocsp signing",
            "s/mime",
            "server auth",
            "signing",
            "timestamping");

    private static final List<String> ANSWERS = List.of("Approved", "Denied");

    /** Conditions that hold or are not there. */
    private static final List<String> FINAL = List.of("Approved", "Denied", "Failed");

    private CertificateRequestCheck() {}

    /** Checks the spec of a new one; it never changes. */
    static void check(Field spec) {
        if (!isRequest(spec.text("request"))) {
            spec.at("request").invalid("PEM block type must be " + PEM);
        }
        spec.at("usages").require("usages must be provided");
        Set<String> seen = new HashSet<>();
        for (Field usage : spec.at("usages")) {
            if (!USAGES.contains(usage.text())) {
                usage.notSupported(USAGES);
            }
            usage.unique(seen);
        }
        signer(spec.at("signerName"));
        spec.at("expirationSeconds")
                .range(
                        SHORTEST,
                        Long.MAX_VALUE,
                        "may not specify a duration less than " + SHORTEST + " seconds (10 minutes)");
    }

    /** Whether bytes in base64 are a request (RFC 2986) in PEM. */
    private static boolean isRequest(String encoded) {
        try (PemReader reader = new PemReader(
                new StringReader(new String(Base64.getMimeDecoder().decode(encoded), StandardCharsets.UTF_8)))) {
            PemObject pem = reader.readPemObject();
            return pem != null
                    && pem.getType().equals(PEM)
                    && new PKCS10CertificationRequest(pem.getContent()).getSubject() != null;
            // Base64 that is none is an IllegalStateException in one library and an IllegalArgumentException in the
            // other.
        } catch (IOException | RuntimeException malformed) {
            return false;
        }
    }

    private static void signer(Field signer) {
        if (!signer.require("")) {
            return;
        }
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

    /** Reports what is wrong with the first label that is none: with the others it would be the same. */
    private static void labels(Field signer, String name, NameRule rule) {
        for (String label : name.split("\\.", -1)) {
            List<String> problems = rule.problems(label);
            problems.forEach(why -> signer.invalid(name, "validating label " + FieldWords.quoted(label) + ": " + why));
            if (!problems.isEmpty()) {
                return;
            }
        }
    }

    /** Checks conditions: answers exclude each other, and nothing that was answered is taken back. */
    static void checkStatus(Field status, JsonNode before) {
        Field conditions = status.at("conditions");
        Set<String> seen = new HashSet<>();
        for (Field condition : conditions) {
            Field type = condition.at("type");
            boolean holds = FINAL.contains(type.text());
            Field said = condition.at("status");
            said.requiredOneOf(holds ? List.of("True") : List.of("False", "True", "Unknown"));
            if (type.require("") && ANSWERS.contains(type.text()) && seen.contains(other(type.text()))) {
                type.invalid("Approved and Denied conditions are mutually exclusive");
            }
            type.unique(seen);
        }
        for (String type : FINAL) {
            if (has(before.path("conditions"), type) && !seen.contains(type)) {
                conditions.forbidden("updates may not remove a condition of type " + FieldWords.quoted(type));
            }
        }
        JsonNode certificate = before.path("certificate");
        if (!certificate.asText().isEmpty()
                && !certificate.equals(status.value().path("certificate"))) {
            status.at("certificate").forbidden("updates may not modify existing certificate content");
        }
    }

    private static String other(String answer) {
        return ANSWERS.get(1 - ANSWERS.indexOf(answer));
    }

    private static boolean has(JsonNode conditions, String type) {
        return conditions
                .valueStream()
                .anyMatch(condition -> Json.text(condition, "type").equals(type));
    }
}
