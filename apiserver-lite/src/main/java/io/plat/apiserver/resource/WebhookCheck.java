package io.plat.apiserver.resource;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validation of configurations of admission webhooks, with the messages of kube-apiserver. */
final class WebhookCheck {
    private static final List<String> SIDE_EFFECTS = List.of("None", "NoneOnDryRun");
    private static final List<String> VERSIONS = List.of("v1", "v1beta1");
    private static final int LONGEST = 30;
    private static final String FORM = "; desired format: https://host[:port]/path";

    private WebhookCheck() {}

    static void check(Field configuration) {
        Set<String> names = new HashSet<>();
        for (Field hook : configuration.at("webhooks")) {
            DomainNames.check(hook.at("name"), 3);
            hook(hook);
            if (!hook.at("name").isEmpty()) {
                hook.at("name").unique(names);
            }
        }
    }

    private static void hook(Field hook) {
        AdmissionRuleCheck.check(hook.at("rules"));
        AdmissionRuleCheck.checkConditions(hook.at("matchConditions"));
        if (hook.at("sideEffects").require("must specify one of " + String.join(", ", SIDE_EFFECTS))) {
            hook.at("sideEffects").oneOf(SIDE_EFFECTS);
        }
        hook.at("timeoutSeconds").range(1, LONGEST, "the timeout value must be between 1 and 30 seconds");
        SelectorCheck.check(hook.at("namespaceSelector"));
        SelectorCheck.check(hook.at("objectSelector"));
        Field client = hook.at("clientConfig");
        if (client.has("url") == client.has("service")) {
            client.required("exactly one of url or service is required");
        } else if (client.has("url")) {
            url(client.at("url"));
        } else {
            service(client.at("service"));
        }
        versions(hook.at("admissionReviewVersions"));
    }

    private static void url(Field field) {
        URI url;
        try {
            url = new URI(field.text());
        } catch (URISyntaxException e) {
            field.required("url must be a valid URL: " + e.getMessage() + FORM);
            return;
        }
        String scheme = url.getScheme() == null ? "" : url.getScheme();
        if (!scheme.toLowerCase(Locale.ROOT).equals("https")) {
            field.invalid(scheme, "'https' is the only allowed URL scheme" + FORM);
        }
        if (url.getRawAuthority() == null) {
            field.invalid("", "host must be specified" + FORM);
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

    private static void service(Field service) {
        for (String part : List.of("name", "namespace")) {
            service.at(part).require("service " + part + " is required");
        }
        service.at("port").range(1, 65535, "port is not valid: must be between 1 and 65535, inclusive");
        Field path = service.at("path");
        if (!path.isEmpty() && !path.text().startsWith("/")) {
            path.invalid("must start with a '/'");
        }
    }

    private static void versions(Field versions) {
        String known = String.join(", ", VERSIONS);
        if (!versions.require("must specify one of " + known)) {
            return;
        }
        Set<String> seen = new HashSet<>();
        for (Field version : versions) {
            if (seen.add(version.text())) {
                version.name(NameRule.DNS_1035);
            } else {
                version.invalid("duplicate version");
            }
        }
        if (VERSIONS.stream().noneMatch(seen::contains)) {
            versions.invalidValue("must include at least one of " + known);
        }
    }
}
