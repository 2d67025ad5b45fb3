package io.plat.apiserver.permission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.objects.RoleConversion;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.Target;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.ASN1UniversalString;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;
import org.jspecify.annotations.Nullable;

/**
 * Permission checks of certificates: {@code approve}, {@code sign} and {@code attest} on {@code signers}, by name or for all signers of a
 * domain.
 */
record SignerPermission(PermissionChecks checks) {
    private static final String GROUP = "certificates.k8s.io";
    private static final String REQUESTS = "certificatesigningrequests." + GROUP;
    private static final String BUNDLES = "clustertrustbundles." + GROUP;
    private static final String API_CLIENT = "kubernetes.io/kube-apiserver-client";

    void admit(Target target, String part, ObjectNode after, @Nullable ObjectNode before) throws StatusException {
        switch (target.type().storage()) {
            case REQUESTS -> admitRequest(target, part, after, before);
            case BUNDLES -> admitBundle(target, after, before);
            default -> {}
        }
    }

    private void admitRequest(Target target, String part, ObjectNode after, @Nullable ObjectNode before)
            throws StatusException {
        if (before == null) {
            if (API_CLIENT.equals(signer(after))) {
                Set<String> organizations = CertificateSubjects.organizations(
                                after.path("spec").path("request").asText())
                        .orElseThrow(() -> ApiErrors.forbidden(target, "unable to parse spec.request"));
                if (organizations.contains(UserInfo.MASTERS)) {
                    throw ApiErrors.forbidden(
                            target,
                            "use of " + API_CLIENT + " signer with " + UserInfo.MASTERS + " group is not allowed");
                }
            }
        } else if (part.equals("approval")) {
            require(target, "approve", signer(before), "approve requests with");
        } else if (part.equals("status")
                && (differs(after, before, "certificate") || differs(after, before, "conditions"))) {
            require(target, "sign", signer(before), "sign requests with");
        }
    }

    private static boolean differs(ObjectNode after, ObjectNode before, String field) {
        return !after.path("status").path(field).equals(before.path("status").path(field));
    }

    private void admitBundle(Target target, ObjectNode after, @Nullable ObjectNode before) throws StatusException {
        String signer = signer(after);
        if (!signer.isEmpty() && RoleConversion.changesContent(after, before)) {
            require(target, "attest", signer, "attest for");
        }
    }

    private static String signer(ObjectNode object) {
        return object.path("spec").path("signerName").asText("");
    }

    private void require(Target target, String verb, String signer, String action) throws StatusException {
        String domain = signer.substring(0, Math.max(signer.indexOf('/'), 0));
        List<ResourceAttributes> accesses = List.of(access(verb, signer), access(verb, domain + "/*"));
        if (checks.refusal(accesses).isPresent()) {
            throw ApiErrors.forbidden(target, "user not permitted to " + action + " signerName \"" + signer + "\"");
        }
    }

    private static ResourceAttributes access(String verb, String name) {
        return new ResourceAttributes("", verb, GROUP, "*", "signers", "", name);
    }

    private static final class CertificateSubjects {
        private static final String BLOCK = "-----BEGIN";

        private CertificateSubjects() {}

        /**
         * Returns the organizations in a request and in all additional PEM blocks, as parsers differ in the block that they use.
         *
         * @param encoded base64-encoded PEM
         * @return empty if another parser may find more organizations
         */
        static Optional<Set<String>> organizations(String encoded) {
            Set<String> found = new HashSet<>();
            int blocks = 0;
            try {
                String text = new String(Base64.getMimeDecoder().decode(encoded), StandardCharsets.UTF_8);
                PemReader reader = new PemReader(new StringReader(text));
                for (PemObject pem = reader.readPemObject(); pem != null; pem = reader.readPemObject()) {
                    blocks++;
                    for (RDN part : new PKCS10CertificationRequest(pem.getContent())
                            .getSubject()
                            .getRDNs()) {
                        for (AttributeTypeAndValue value : part.getTypesAndValues()) {
                            if (value.getType().equals(BCStyle.O)) {
                                found.add(text(value));
                            }
                        }
                    }
                }
                return text.split(BLOCK, -1).length == blocks + 1 ? Optional.of(found) : Optional.empty();
            } catch (IOException | RuntimeException malformed) {
                return Optional.empty();
            }
        }

        private static String text(AttributeTypeAndValue value) {
            if (value.getValue() instanceof ASN1String text && !(text instanceof ASN1UniversalString)) {
                return text.getString();
            }
            throw new IllegalArgumentException("an organization is not a string");
        }
    }
}
