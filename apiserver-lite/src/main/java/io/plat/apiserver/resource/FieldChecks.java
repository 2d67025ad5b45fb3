package io.plat.apiserver.resource;

/** Validation of types that are otherwise described by data: rules about several fields, with the messages of kube-apiserver. */
final class FieldChecks {
    private FieldChecks() {}

    static void check(String storage, Field object) {
        Field spec = object.at("spec");
        switch (storage) {
            case "persistentvolumeclaims" -> ClaimCheck.check(spec);
            case "persistentvolumes" -> VolumeCheck.check(spec);
            case "nodes" -> NodeCheck.check(object);
            case "deployments.apps",
                    "daemonsets.apps",
                    "replicasets.apps",
                    "replicationcontrollers",
                    "statefulsets.apps" -> RolloutCheck.check(storage, spec);
            case "jobs.batch" -> JobCheck.check(spec);
            case "cronjobs.batch" -> JobCheck.checkRepeated(spec);
            case AutoscalerForms.STORAGE -> AutoscalerCheck.check(spec);
            case "poddisruptionbudgets.policy" -> budget(spec);
            case "ingresses.networking.k8s.io" -> IngressCheck.check(spec);
            case "ingressclasses.networking.k8s.io" -> IngressCheck.checkClass(spec);
            case "networkpolicies.networking.k8s.io" -> NetworkPolicyCheck.check(spec);
            case "limitranges" -> LimitCheck.check(spec);
            case "resourcequotas" -> QuotaCheck.check(spec);
            case "mutatingwebhookconfigurations.admissionregistration.k8s.io",
                    "validatingwebhookconfigurations.admissionregistration.k8s.io" -> WebhookCheck.check(object);
            case "mutatingadmissionpolicies.admissionregistration.k8s.io" -> AdmissionPolicyCheck.checkMutating(spec);
            case "validatingadmissionpolicies.admissionregistration.k8s.io" ->
                AdmissionPolicyCheck.checkValidating(object);
            case "mutatingadmissionpolicybindings.admissionregistration.k8s.io" ->
                AdmissionPolicyCheck.checkBinding(spec, false);
            case "validatingadmissionpolicybindings.admissionregistration.k8s.io" ->
                AdmissionPolicyCheck.checkBinding(spec, true);
            case "apiservices.apiregistration.k8s.io" -> ApiServiceCheck.check(object);
            case "storageclasses.storage.k8s.io" -> StorageCheck.checkClass(object);
            case "csidrivers.storage.k8s.io" -> StorageCheck.checkDriver(object);
            case "servicecidrs.networking.k8s.io" -> addresses(spec.at("cidrs"));
            case "csinodes.storage.k8s.io" -> StorageCheck.checkNode(spec.at("drivers"));
            case "runtimeclasses.node.k8s.io" -> {
                object.at("handler").optionalName(NameRule.LABEL);
                SchedulingCheck.check(object.at("scheduling"));
            }
            case "controllerrevisions.apps" -> revision(object);
            case "deviceclasses.resource.k8s.io" -> DeviceCheck.checkClass(spec);
            case "resourceclaims.resource.k8s.io" -> DeviceCheck.checkClaim(spec);
            case "resourceclaimtemplates.resource.k8s.io" -> DeviceCheck.checkClaim(spec.at("spec"));
            case "endpoints" -> object.at("subsets").forEach(EndpointsCheck::subset);
            case "endpointslices.discovery.k8s.io" -> EndpointsCheck.checkSlice(object);
            default -> {}
        }
    }

    /** Checks what is looked at only once: what never changes, and what may have been otherwise in older objects. */
    static void checkNew(String storage, Field object) {
        switch (storage) {
            case "ingresses.networking.k8s.io" -> IngressCheck.checkNew(object);
            case "cronjobs.batch" -> JobCheck.checkName(object.at("metadata").at("name"));
            case CertificateRequestCheck.STORAGE -> CertificateRequestCheck.check(object.at("spec"));
            case "volumeattachments.storage.k8s.io" -> StorageCheck.checkAttachment(object.at("spec"));
            case "nodes" -> NodeCheck.checkStatus(object);
            default -> {}
        }
    }

    private static void budget(Field spec) {
        if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
            spec.invalidValue("minAvailable and maxUnavailable cannot be both set");
        }
        Percentages.check(spec.at("minAvailable"), true);
        Percentages.check(spec.at("maxUnavailable"), true);
        SelectorCheck.check(spec.at("selector"));
    }

    private static void revision(Field object) {
        if (!object.value().hasNonNull("data")) {
            object.at("data").required("data is mandatory");
        }
        object.at("revision").notNegative();
    }

    private static void addresses(Field ranges) {
        ranges.require("at least one CIDR required");
        String shown = Json.object().set("CIDRs", ranges.value()).toString();
        if (ranges.value().size() > 2) {
            ranges.invalidLiteral(shown, "may only hold up to 2 values");
        } else if (ranges.value().size() == 2 && !IpLiterals.areOfBothFamilies(ranges.texts())) {
            ranges.invalidLiteral(
                    shown, "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64");
        }
        ranges.forEach(Field::cidr);
    }
}
