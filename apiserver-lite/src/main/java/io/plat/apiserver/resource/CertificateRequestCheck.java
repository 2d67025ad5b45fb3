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

/** What is wrong with what somebody wants certified, and with what was said to it: in the words of existing servers. */
final class CertificateRequestCheck {
    static final String STORAGE = "certificatesigningrequests.certificates.k8s.io";

    private static final String PEM = "CERTIFICATE REQUEST";
    private static final String SIGNER = "spec.signerName";
    private static final String CONDITIONS = "status.conditions";
    private static final int SHORTEST = 600;

    /** What a certificate may be for; sorted, as it is told. */
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

    /** Checks a new one; what is asked for never changes. */
    static void check(JsonNode request, Causes causes) {
        JsonNode spec = request.path("spec");
        if (!isRequest(Json.text(spec, "request"))) {
            causes.invalid("spec.request", Json.text(spec, "request"), "PEM block type must be " + PEM);
        }
        JsonNode usages = spec.path("usages");
        if (usages.isEmpty()) {
            causes.required("spec.usages", "usages must be provided");
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < usages.size(); i++) {
            String usage = usages.path(i).asText();
            if (!USAGES.contains(usage)) {
                causes.notSupported("spec.usages[" + i + "]", usage, USAGES);
            }
            if (!seen.add(usage)) {
                causes.duplicate("spec.usages[" + i + "]", usage);
            }
        }
        signer(Json.text(spec, "signerName"), causes);
        JsonNode seconds = spec.path("expirationSeconds");
        if (seconds.isNumber() && seconds.asLong() < SHORTEST) {
            causes.invalidValue(
                    "spec.expirationSeconds",
                    seconds,
                    "may not specify a duration less than " + SHORTEST + " seconds (10 minutes)");
        }
    }

    /** Whether bytes in base64 are a request (RFC 2986) in PEM. */
    private static boolean isRequest(String encoded) {
        try (PemReader reader = new PemReader(
                new StringReader(new String(Base64.getMimeDecoder().decode(encoded), StandardCharsets.UTF_8)))) {
            PemObject pem = reader.readPemObject();
            return pem != null
                    && pem.getType().equals(PEM)
                    && new PKCS10CertificationRequest(pem.getContent()).getSubject() != null;
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    private static void signer(String name, Causes causes) {
        if (name.isEmpty()) {
            causes.required(SIGNER, "");
            return;
        }
        if (name.equals("kubernetes.io/legacy-unknown")) {
            causes.invalid(SIGNER, name, "the legacy signerName is not allowed via this API version");
        }
        String[] parts = name.split("/", -1);
        if (parts.length != 2) {
            causes.invalid(
                    SIGNER, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'");
            return;
        }
        String[] domain = parts[0].split("\\.", -1);
        labels(parts[0], domain, NameRule.LABEL, causes);
        if (domain.length < 2) {
            causes.invalid(SIGNER, parts[0], "should be a domain with at least two segments separated by dots");
        }
        labels(parts[1], parts[1].split("\\.", -1), NameRule.SUBDOMAIN, causes);
    }

    /** Says what is wrong with the first label that is none: with the others it would be the same. */
    private static void labels(String shown, String[] labels, NameRule rule, Causes causes) {
        for (String label : labels) {
            List<String> problems = rule.problems(label);
            problems.forEach(
                    why -> causes.invalid(SIGNER, shown, "validating label " + FieldWords.quoted(label) + ": " + why));
            if (!problems.isEmpty()) {
                return;
            }
        }
    }

    /** Checks what was said to one: answers exclude each other, and nothing that was said is taken back. */
    static void checkStatus(JsonNode request, JsonNode before, Causes causes) {
        JsonNode conditions = request.path("status").path("conditions");
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < conditions.size(); i++) {
            String type = Json.text(conditions.path(i), "type");
            String field = CONDITIONS + "[" + i + "]";
            status(field + ".status", type, Json.text(conditions.path(i), "status"), causes);
            if (type.isEmpty()) {
                causes.required(field + ".type", "");
            } else if (ANSWERS.contains(type) && seen.contains(other(type))) {
                causes.invalid(field + ".type", type, "Approved and Denied conditions are mutually exclusive");
            }
            if (!seen.add(type)) {
                causes.duplicate(field + ".type", type);
            }
        }
        for (String type : FINAL) {
            if (has(before.path("status").path("conditions"), type) && !seen.contains(type)) {
                causes.forbidden(CONDITIONS, "updates may not remove a condition of type " + FieldWords.quoted(type));
            }
        }
        JsonNode certificate = before.path("status").path("certificate");
        if (!certificate.asText().isEmpty()
                && !certificate.equals(request.path("status").path("certificate"))) {
            causes.forbidden("status.certificate", "updates may not modify existing certificate content");
        }
    }

    private static String other(String answer) {
        return ANSWERS.get(1 - ANSWERS.indexOf(answer));
    }

    private static void status(String field, String type, String status, Causes causes) {
        List<String> allowed = FINAL.contains(type) ? List.of("True") : List.of("False", "True", "Unknown");
        if (status.isEmpty()) {
            causes.required(field, "");
        } else if (!allowed.contains(status)) {
            causes.notSupported(field, status, allowed);
        }
    }

    private static boolean has(JsonNode conditions, String type) {
        for (JsonNode condition : conditions) {
            if (Json.text(condition, "type").equals(type)) {
                return true;
            }
        }
        return false;
    }
}
