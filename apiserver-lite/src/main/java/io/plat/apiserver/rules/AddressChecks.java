package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.tree.Json;
import io.plat.cel.text.IpLiterals;
import io.plat.review.NameRule;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;
import org.jspecify.annotations.Nullable;

/** Computed checks of addresses, CIDRs, host names, URLs, and certificate signing requests, each for one place in the rules. */
final class AddressChecks {
    private static final String PEM = "CERTIFICATE REQUEST";
    private static final List<String> DECISIONS = List.of("Approved", "Denied");
    private static final List<String> ANSWERS = List.of("Approved", "Denied", "Failed");
    private static final String URL_FORM = "; desired format: https://host[/path]";

    private AddressChecks() {}

    static Check of(String name, Template message) {
        return switch (name) {
            case "notAddress" ->
                Checks.reports(field -> IpLiterals.address(field.text()).isPresent(), Field::invalid, message);
            case "canonicalAddress" ->
                (field, at) -> IpLiterals.problem(field.text()).ifPresent(field::invalid);
            case "endpointAddress" -> (field, at) -> endpointAddress(field);
            case "paddedCidr" ->
                // Surrounding spaces are ignored.
                (field, at) -> range(field.with(TextNode.valueOf(field.text().strip())));
            case "oneOfEachFamily" -> Checks.reports(AddressChecks::repeatsFamily, Field::invalidValue, message);
            case "strictlyWithinBlock" ->
                (field, at) -> {
                    if (!strictlyWithin(at.of("IPBlock").field().text("cidr"), field.text())) {
                        field.invalid(message.at(at));
                    }
                };
            case "network" -> {
                Object rule = new Object();
                yield (field, at) -> {
                    FieldPosition policy = at.of("NetworkPolicySpec");
                    Set<String> known =
                            policy.remember(rule, () -> ranges(policy.field().old()));
                    if (!known.contains(field.text())
                            && IpLiterals.range(field.text())
                                    .filter(range -> !range.isNetwork())
                                    .isPresent()) {
                        field.invalid(message.at(at));
                    }
                };
            }
            case "serviceName" -> (field, at) -> field.name(field.text().replaceFirst("\\.$", ""), NameRule.SUBDOMAIN);
            case "domainPath" -> (field, at) -> domainPath(field);
            case "webhookUrl" -> (field, at) -> webhookUrl(field);
            default -> throw new IllegalArgumentException("unknown check: " + name);
        };
    }

    private static Set<String> ranges(JsonNode policy) {
        Set<String> ranges = new HashSet<>(policy.findValuesAsText("cidr"));
        policy.findValues("except").forEach(list -> ranges.addAll(Json.texts(list)));
        return ranges;
    }

    static void range(Field field) {
        if (IpLiterals.range(field.text()).isEmpty()) {
            field.invalid("must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
        }
    }

    /** Checks that an address, if valid, is routable for other hosts. */
    private static void endpointAddress(Field field) {
        Optional<InetAddress> parsed = IpLiterals.address(field.text());
        if (parsed.isEmpty()) {
            return;
        }
        InetAddress address = parsed.get();
        if (address.isAnyLocalAddress()) {
            field.invalid("may not be unspecified (" + field.text() + ")");
        }
        if (address.isLoopbackAddress()) {
            field.invalid("may not be in the loopback range (127.0.0.0/8, ::1/128)");
        }
        if (address.isLinkLocalAddress()) {
            field.invalid("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
        }
        if (address.isMCLinkLocal()) {
            field.invalid("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
        }
    }

    private static boolean repeatsFamily(Field ranges) {
        List<String> texts = ranges.texts();
        return texts.size() > 1
                && texts.stream().allMatch(range -> IpLiterals.range(range).isPresent())
                && !IpLiterals.areOfBothFamilies(texts);
    }

    /** Returns whether a CIDR is contained in another one; a malformed one is. */
    private static boolean strictlyWithin(String block, String part) {
        Optional<IpLiterals.Range> outer = IpLiterals.range(block);
        Optional<IpLiterals.Range> inner = IpLiterals.range(part);
        return outer.isEmpty()
                || inner.isEmpty()
                || (outer.get().length() < inner.get().length()
                        && outer.get().contains(inner.get().address()));
    }

    private static void domainPath(Field field) {
        String text = field.text();
        int slash = text.indexOf('/');
        if (slash <= 0 || slash == text.length() - 1) {
            field.invalid("must be a domain-prefixed path (such as \"acme.io/foo\")");
        } else {
            field.name(text.substring(0, slash), NameRule.SUBDOMAIN);
        }
    }

    private static void webhookUrl(Field field) {
        URI url;
        try {
            url = new URI(field.text());
        } catch (URISyntaxException e) {
            field.required("url must be a valid URL: " + e.getMessage() + URL_FORM);
            return;
        }
        String scheme = url.getScheme() == null ? "" : url.getScheme();
        if (!scheme.toLowerCase(Locale.ROOT).equals("https")) {
            field.invalid(scheme, "'https' is the only allowed URL scheme" + URL_FORM);
        }
        if (url.getRawAuthority() == null) {
            field.invalid("", "host must be specified" + URL_FORM);
        }
        notPermitted(field, url.getRawUserInfo(), "user information is");
        notPermitted(field, url.getRawFragment(), "fragments are");
        notPermitted(field, url.getRawQuery(), "query parameters are");
    }

    private static void notPermitted(Field field, @Nullable String part, String what) {
        if (part != null) {
            field.invalid(part, what + " not permitted in the URL");
        }
    }

    static Check ofCertificates(String name, Template message) {
        return switch (name) {
            case "certificateRequest" -> Checks.reports(field -> !isRequest(field.text()), Field::invalid, message);
            case "signerName" -> (field, at) -> signer(field);
            case "exclusiveAnswer" ->
                (type, at) -> {
                    Set<String> earlier = at.list().remember("exclusiveAnswer", HashSet::new);
                    int answer = DECISIONS.indexOf(type.text());
                    if (answer >= 0 && earlier.contains(DECISIONS.get(1 - answer))) {
                        type.invalid(message.at(at));
                    }
                    earlier.add(type.text());
                };
            case "keptAnswers" ->
                (conditions, at) -> missing(conditions, conditions.old(), conditions.value(), ANSWERS, "remove");
            case "noFurtherAnswers" ->
                (conditions, at) -> missing(conditions, conditions.value(), conditions.old(), DECISIONS, "add");
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
            problems.forEach(detail ->
                    signer.invalid(name, "validating label " + FieldErrorMessages.quoted(label) + ": " + detail));
            if (!problems.isEmpty()) {
                return;
            }
        }
    }

    /** Reports condition types that one list has and another lacks. */
    private static void missing(Field conditions, JsonNode in, JsonNode from, List<String> types, String change) {
        List<String> present = in.findValuesAsText("type");
        List<String> others = from.findValuesAsText("type");
        for (String type : types) {
            if (present.contains(type) && !others.contains(type)) {
                conditions.forbidden(
                        "updates may not " + change + " a condition of type " + FieldErrorMessages.quoted(type));
            }
        }
    }
}
