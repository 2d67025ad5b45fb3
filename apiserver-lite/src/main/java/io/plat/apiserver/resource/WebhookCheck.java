package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What is wrong with who is asked over HTTP before something is written: in the words of existing servers. */
final class WebhookCheck {
    private static final List<String> SIDE_EFFECTS = List.of("None", "NoneOnDryRun");
    private static final List<String> VERSIONS = List.of("v1", "v1beta1");
    private static final int LONGEST = 30;
    private static final String FORM = "; desired format: https://host[:port]/path";

    private final Causes causes;

    private WebhookCheck(Causes causes) {
        this.causes = causes;
    }

    /** Checks all of a configuration. */
    static void check(JsonNode configuration, Causes causes) {
        JsonNode hooks = configuration.path("webhooks");
        WebhookCheck check = new WebhookCheck(causes);
        Set<String> names = new HashSet<>();
        for (int i = 0; i < hooks.size(); i++) {
            String field = "webhooks[" + i + "]";
            String name = Json.text(hooks.path(i), "name");
            DomainNames.check(field + ".name", name, 3, causes);
            check.hook(field, hooks.path(i));
            if (!name.isEmpty() && !names.add(name)) {
                causes.duplicate(field + ".name", name);
            }
        }
    }

    private void hook(String field, JsonNode hook) {
        AdmissionRuleCheck.check(field + ".rules", hook.path("rules"), causes);
        AdmissionRuleCheck.checkConditions(field + ".matchConditions", hook.path("matchConditions"), causes);
        String effects = Json.text(hook, "sideEffects");
        if (effects.isEmpty()) {
            causes.required(field + ".sideEffects", "must specify one of " + String.join(", ", SIDE_EFFECTS));
        } else if (!SIDE_EFFECTS.contains(effects)) {
            causes.notSupported(field + ".sideEffects", effects, SIDE_EFFECTS);
        }
        JsonNode seconds = hook.path("timeoutSeconds");
        if (seconds.isNumber() && (seconds.asLong() < 1 || seconds.asLong() > LONGEST)) {
            causes.invalidValue(
                    field + ".timeoutSeconds", seconds, "the timeout value must be between 1 and 30 seconds");
        }
        for (String selector : List.of("namespaceSelector", "objectSelector")) {
            SelectorCheck.check(field + "." + selector, hook.path(selector), causes);
        }
        client(field + ".clientConfig", hook.path("clientConfig"));
        versions(field + ".admissionReviewVersions", hook.path("admissionReviewVersions"));
    }

    private void client(String field, JsonNode client) {
        if (client.has("url") == client.has("service")) {
            causes.required(field, "exactly one of url or service is required");
        } else if (client.has("url")) {
            url(field + ".url", Json.text(client, "url"));
        } else {
            service(field + ".service", client.path("service"));
        }
    }

    private void url(String field, String text) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            causes.required(field, "url must be a valid URL: " + e.getMessage() + FORM);
            return;
        }
        String scheme = url.getScheme() == null ? "" : url.getScheme();
        if (!scheme.toLowerCase(Locale.ROOT).equals("https")) {
            causes.invalid(field, scheme, "'https' is the only allowed URL scheme" + FORM);
        }
        if (url.getRawAuthority() == null) {
            causes.invalid(field, "", "host must be specified" + FORM);
        }
        if (url.getRawUserInfo() != null) {
            causes.invalid(field, url.getRawUserInfo(), "user information is not permitted in the URL");
        }
        if (url.getRawFragment() != null) {
            causes.invalid(field, url.getRawFragment(), "fragments are not permitted in the URL");
        }
        if (url.getRawQuery() != null) {
            causes.invalid(field, url.getRawQuery(), "query parameters are not permitted in the URL");
        }
    }

    private void service(String field, JsonNode service) {
        for (String part : List.of("name", "namespace")) {
            if (Json.text(service, part).isEmpty()) {
                causes.required(field + "." + part, "service " + part + " is required");
            }
        }
        JsonNode port = service.path("port");
        if (port.isNumber() && (port.asLong() < 1 || port.asLong() > 65535)) {
            causes.invalidValue(field + ".port", port, "port is not valid: must be between 1 and 65535, inclusive");
        }
        String path = Json.text(service, "path");
        if (!path.isEmpty() && !path.startsWith("/")) {
            causes.invalid(field + ".path", path, "must start with a '/'");
        }
    }

    private void versions(String field, JsonNode list) {
        List<String> versions = MetadataRules.texts(list);
        String known = String.join(", ", VERSIONS);
        if (versions.isEmpty()) {
            causes.required(field, "must specify one of " + known);
            return;
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < versions.size(); i++) {
            String at = field + "[" + i + "]";
            if (seen.add(versions.get(i))) {
                causes.name(at, versions.get(i), NameRule.DNS_1035);
            } else {
                causes.invalid(at, versions.get(i), "duplicate version");
            }
        }
        if (versions.stream().noneMatch(VERSIONS::contains)) {
            causes.invalidValue(field, list, "must include at least one of " + known);
        }
    }
}
