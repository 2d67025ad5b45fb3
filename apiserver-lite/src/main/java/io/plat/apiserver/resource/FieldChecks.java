package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** What is wrong with new objects of types that are described by data otherwise: rules about several fields, in the words of existing servers. */
final class FieldChecks {
    private final JsonNode spec;
    private final Causes causes;

    private FieldChecks(JsonNode spec, Causes causes) {
        this.spec = spec;
        this.causes = causes;
    }

    static void check(String storage, JsonNode object, Causes causes) {
        FieldChecks checks = new FieldChecks(object.path("spec"), causes);
        switch (storage) {
            case "persistentvolumeclaims" -> ClaimCheck.check("spec", object.path("spec"), causes);
            case "persistentvolumes" -> VolumeCheck.check(object.path("spec"), causes);
            case "nodes" -> NodeCheck.check(object, causes);
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
            case "limitranges" -> LimitCheck.check(object.path("spec"), causes);
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
            case "servicecidrs.networking.k8s.io" -> checkAddresses(object, causes);
            case "csinodes.storage.k8s.io" -> StorageCheck.checkNode(object, causes);
            case "runtimeclasses.node.k8s.io" -> checkRuntime(object, causes);
            case "controllerrevisions.apps" -> checkRevision(object, causes);
            case "deviceclasses.resource.k8s.io" -> DeviceCheck.checkClass(object, causes);
            case "resourceclaims.resource.k8s.io" -> DeviceCheck.checkClaim("spec", object.path("spec"), causes);
            case "resourceclaimtemplates.resource.k8s.io" ->
                DeviceCheck.checkClaim("spec.spec", object.at("/spec/spec"), causes);
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
            case "volumeattachments.storage.k8s.io" -> StorageCheck.checkAttachment(object, causes);
            case "nodes" -> NodeCheck.checkStatus(object, causes);
            default -> {}
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

    private static void checkAddresses(JsonNode object, Causes causes) {
        JsonNode ranges = object.path("spec").path("cidrs");
        List<String> texts = MetadataRules.texts(ranges);
        if (texts.isEmpty()) {
            causes.required("spec.cidrs", "at least one CIDR required");
        }
        String shown = Json.object().set("CIDRs", ranges).toString();
        if (texts.size() > 2) {
            causes.invalidLiteral("spec.cidrs", shown, "may only hold up to 2 values");
        } else if (texts.size() == 2 && !IpLiterals.areOfBothFamilies(texts)) {
            causes.invalidLiteral(
                    "spec.cidrs",
                    shown,
                    "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64");
        }
        for (int i = 0; i < texts.size(); i++) {
            IpLiterals.checkRange("spec.cidrs[" + i + "]", texts.get(i), causes);
        }
    }
}
