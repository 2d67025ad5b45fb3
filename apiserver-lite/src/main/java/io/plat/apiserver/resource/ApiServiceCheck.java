package io.plat.apiserver.resource;

import io.plat.apiserver.schema.FieldWords;

/** Validation of APIService objects, with the messages of kube-apiserver. */
final class ApiServiceCheck {
    private static final int FIRST_OF_GROUPS = 20_000;
    private static final int FIRST_OF_VERSIONS = 1000;

    private ApiServiceCheck() {}

    static void check(Field object) {
        Field spec = object.at("spec");
        Field group = spec.at("group");
        Field version = spec.at("version");
        Field name = object.at("metadata").at("name");
        String expected = version.text() + "." + group.text();
        if (!name.is(expected)) {
            name.invalid("must be `spec.version+\".\"+spec.group`: " + FieldWords.quoted(expected));
        }
        group.optionalName(NameRule.SUBDOMAIN);
        if (!version.is("v1")) {
            group.require("only v1 may have an empty group and it better be legacy kube");
        }
        version.name(NameRule.DNS_1035);
        rank(spec.at("groupPriorityMinimum"), FIRST_OF_GROUPS);
        rank(spec.at("versionPriority"), FIRST_OF_VERSIONS);
        service(spec);
    }

    private static void rank(Field rank, int most) {
        if (rank.number() <= 0 || rank.number() > most) {
            rank.invalidLiteral(Long.toString(rank.number()), "must be positive and less than " + most);
        }
    }

    private static void service(Field spec) {
        Field bundle = spec.at("caBundle");
        Field trusted = spec.at("insecureSkipTLSVerify");
        Field service = spec.at("service");
        if (!service.value().isObject()) {
            if (!bundle.isEmpty()) {
                bundle.invalid("", "local APIServices may not have a caBundle");
            }
            if (trusted.flag()) {
                trusted.invalidLiteral("true", "local APIServices may not have insecureSkipTLSVerify");
            }
            return;
        }
        service.at("namespace").require("");
        service.at("name").require("");
        if (!bundle.isEmpty() && trusted.flag()) {
            trusted.invalidLiteral("true", "may not be true if caBundle is present");
        }
    }
}
