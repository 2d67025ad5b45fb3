package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** What is wrong with new objects of types that are described by data otherwise: rules about several fields, in the words of existing servers. */
final class FieldChecks {
    private static final String ALONE = "ReadWriteOncePod";
    private static final List<String> MODES = List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", ALONE);

    private final JsonNode spec;
    private final Causes causes;

    private FieldChecks(JsonNode spec, Causes causes) {
        this.spec = spec;
        this.causes = causes;
    }

    static void check(String storage, JsonNode object, Causes causes) {
        FieldChecks checks = new FieldChecks(object.path("spec"), causes);
        switch (storage) {
            case "persistentvolumeclaims" -> checks.claim();
            case "persistentvolumes" -> checks.volume();
            case "deployments.apps",
                    "daemonsets.apps",
                    "replicasets.apps",
                    "replicationcontrollers",
                    "statefulsets.apps" -> RolloutCheck.check(storage, object, causes);
            case "jobs.batch" -> JobCheck.check("spec", object.path("spec"), causes);
            case "cronjobs.batch" -> JobCheck.checkRepeated(object, causes);
            case AutoscalerForms.STORAGE -> AutoscalerCheck.check(object, causes);
            case "poddisruptionbudgets.policy" -> checks.budget();
            case "ingresses.networking.k8s.io" -> IngressCheck.check(object, causes);
            case "ingressclasses.networking.k8s.io" -> IngressCheck.checkClass(object, causes);
            case "networkpolicies.networking.k8s.io" -> NetworkPolicyCheck.check(object, causes);
            case "limitranges" -> checks.limits();
            case "resourcequotas" -> QuotaCheck.check(object, causes);
            case "mutatingwebhookconfigurations.admissionregistration.k8s.io",
                    "validatingwebhookconfigurations.admissionregistration.k8s.io" ->
                WebhookCheck.check(object, causes);
            case "mutatingadmissionpolicies.admissionregistration.k8s.io" ->
                AdmissionPolicyCheck.checkMutating(object, causes);
            case "validatingadmissionpolicies.admissionregistration.k8s.io" ->
                AdmissionPolicyCheck.checkValidating(object, causes);
            case "mutatingadmissionpolicybindings.admissionregistration.k8s.io" ->
                AdmissionPolicyCheck.checkBinding(object, false, causes);
            case "validatingadmissionpolicybindings.admissionregistration.k8s.io" ->
                AdmissionPolicyCheck.checkBinding(object, true, causes);
            case "apiservices.apiregistration.k8s.io" -> ApiServiceCheck.check(object, causes);
            case "storageclasses.storage.k8s.io" -> StorageCheck.checkClass(object, causes);
            case "csidrivers.storage.k8s.io" -> StorageCheck.checkDriver(object, causes);
            case "csinodes.storage.k8s.io" -> StorageCheck.checkNode(object, causes);
            case "runtimeclasses.node.k8s.io" -> checkRuntime(object, causes);
            case "controllerrevisions.apps" -> checkRevision(object, causes);
            case "endpoints" -> EndpointsCheck.check(object, causes);
            case "endpointslices.discovery.k8s.io" -> EndpointsCheck.checkSlice(object, causes);
            default -> {}
        }
    }

    /** Checks what is looked at only once: what never changes, and what may have been otherwise in older objects. */
    static void checkNew(String storage, JsonNode object, Causes causes) {
        switch (storage) {
            case "ingresses.networking.k8s.io" -> IngressCheck.checkNew(object, causes);
            case "cronjobs.batch" -> JobCheck.checkName(object, causes);
            case CertificateRequestCheck.STORAGE -> CertificateRequestCheck.check(object, causes);
            default -> {}
        }
    }

    private void claim() {
        if (spec.path("accessModes").isEmpty()) {
            causes.required("spec.accessModes", "at least 1 access mode is required");
        }
        modes();
        JsonNode amount = spec.at("/resources/requests").path("storage");
        if (amount.isMissingNode()) {
            causes.required("spec.resources[storage]", "");
        } else if (QualityOfService.amount(amount).signum() <= 0) {
            causes.invalid("spec.resources[storage]", amount.asText(), "must be greater than zero");
        }
        SelectorCheck.check("spec.selector", spec.path("selector"), causes);
        storageClass();
    }

    private void volume() {
        if (spec.path("accessModes").isEmpty()) {
            causes.required("spec.accessModes", "");
        }
        if (!spec.path("capacity").has("storage")) {
            causes.required("spec.capacity", "");
        } else if (QualityOfService.amount(spec.path("capacity").path("storage"))
                        .signum()
                <= 0) {
            causes.invalid(
                    "spec.capacity[storage]",
                    spec.path("capacity").path("storage").asText(),
                    "must be greater than zero");
        }
        modes();
        storageClass();
        if (spec.path("nodeAffinity").has("required")) {
            SchedulingCheck.checkNodeSelector(
                    "spec.nodeAffinity.required", spec.path("nodeAffinity").path("required"), causes);
        }
    }

    private void modes() {
        List<String> modes = MetadataRules.texts(spec.path("accessModes"));
        for (String mode : modes) {
            if (!MODES.contains(mode)) {
                causes.notSupported("spec.accessModes", mode, MODES);
            }
        }
        if (modes.size() > 1 && modes.contains(ALONE)) {
            causes.forbidden("spec.accessModes", "may not use " + ALONE + " with other access modes");
        }
    }

    private void storageClass() {
        String name = Json.text(spec, "storageClassName");
        if (!name.isEmpty()) {
            causes.name("spec.storageClassName", name, NameRule.SUBDOMAIN);
        }
    }

    private void budget() {
        if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
            causes.invalidLiteral("spec", spec.toString(), "minAvailable and maxUnavailable cannot be both set");
        }
        for (String field : List.of("minAvailable", "maxUnavailable")) {
            Percentages.check("spec." + field, spec.path(field), true, causes);
        }
        SelectorCheck.check("spec.selector", spec.path("selector"), causes);
    }

    private static void checkRuntime(JsonNode object, Causes causes) {
        String handler = Json.text(object, "handler");
        if (!handler.isEmpty()) {
            causes.name("handler", handler, NameRule.LABEL);
        }
        SchedulingCheck.check("scheduling", object.path("scheduling"), causes);
    }

    private static void checkRevision(JsonNode object, Causes causes) {
        if (!object.hasNonNull("data")) {
            causes.required("data", "data is mandatory");
        }
        causes.notNegative("revision", object.path("revision"));
    }

    private void limits() {
        for (int i = 0; i < spec.path("limits").size(); i++) {
            JsonNode item = spec.path("limits").path(i);
            for (var least : item.path("min").properties()) {
                JsonNode most = item.path("max").path(least.getKey());
                if (!most.isMissingNode()
                        && QualityOfService.amount(least.getValue()).compareTo(QualityOfService.amount(most)) > 0) {
                    causes.invalid(
                            "spec.limits[" + i + "].min[" + least.getKey() + "]",
                            least.getValue().asText(),
                            "min value " + least.getValue().asText() + " is greater than max value " + most.asText());
                }
            }
        }
    }
}
