package io.plat.decider;

import io.plat.fronts.check.AnswerFields;
import io.plat.fronts.check.CertificateIdentity;
import io.plat.fronts.check.CheckSettings;
import io.plat.fronts.check.HeaderIdentity;
import io.plat.fronts.check.IdentitySource;
import io.plat.fronts.check.ProxiedRequest.PathForm;
import io.plat.http.authentication.TokenAuthenticator;
import io.plat.http.authentication.oidc.OidcFlags;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagProblems;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.http.process.OpenResources;
import io.plat.http.process.StartException;
import io.plat.tls.files.WatchedFiles;
import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.CertificateVerifier;
import io.plat.tls.x509.TrustBundle;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Flags of the fronts for proxies. While they are disabled, none of their classes is loaded. */
final class CheckFlags {
    private static final String HEADER = "header";
    private static final String XFCC = "xfcc";
    private static final String ESCAPED = "ssl-client-cert";
    private static final String BEARER = "bearer";
    private static final String PATH = "path";

    /** Audience of the decider: tokens are for the audience of --oidc-client-id alone. */
    private static final List<String> AUDIENCES = List.of("decider");

    private final Flag<Boolean> http;
    private final Flag<Boolean> envoy;
    private final Flag<String> identity;
    private final Flag<String> user;
    private final Flag<String> groups;
    private final Flag<String> paths;
    private final Flag<Optional<Path>> authorities;
    private final Flag<List<AnswerFields.Field>> answer;
    private final OidcFlags oidc;

    CheckFlags(FlagSet set) {
        http = set.toggle("http-check");
        envoy = set.toggle("envoy-check");
        identity = set.value("check-identity", FlagType.word(List.of(HEADER, XFCC, ESCAPED, BEARER)));
        user = set.value("check-user-header", FlagType.HEADER_NAME);
        groups = set.value("check-group-header", FlagType.HEADER_NAME);
        paths = set.value("check-paths", FlagType.word(List.of(PATH, "resource")));
        authorities = set.optional("check-client-ca-file", FlagType.PATH);
        answer = set.list(
                "check-response-headers",
                // Not a method reference, which would load the class at once.
                new FlagType<>(
                        "X-Auth-User, X-Auth-Groups, X-Auth-Decision-Id or X-Auth-Policy-Revision",
                        text -> AnswerFields.Field.of(text)));
        oidc = new OidcFlags(set);
        set.check(this::check);
    }

    private void check(FlagValues values, FlagProblems problems) {
        if (!isOn(values)) {
            for (Flag<?> flag : List.of(identity, user, groups, paths, authorities, answer)) {
                if (values.isSet(flag)) {
                    problems.add(flag, "requires " + http.dashed() + " or " + envoy.dashed());
                }
            }
        }
        String source = values.find(identity).orElse("");
        for (Flag<String> flag : List.of(user, groups)) {
            if (values.isSet(flag) && !source.equals(HEADER)) {
                problems.add(flag, "requires --check-identity=header");
            }
            if (values.find(flag).orElse("").indexOf('_') >= 0) {
                problems.add(
                        flag,
                        "expected a name without underscores, which many servers read as hyphens: such requests are"
                                + " refused");
            }
        }
        boolean certificates = source.equals(XFCC) || source.equals(ESCAPED);
        if (certificates != values.isSet(authorities)) {
            problems.add(
                    authorities,
                    certificates
                            ? "required with --check-identity=" + source
                            : "requires --check-identity=xfcc or ssl-client-cert");
        }
        boolean issuer = values.find(oidc.issuer()).flatMap(url -> url).isPresent();
        if (source.equals(BEARER) != issuer) {
            problems.add(
                    oidc.issuer(),
                    issuer ? "requires --check-identity=bearer" : "required with --check-identity=bearer");
        }
    }

    /** Returns whether a front for proxies is on. */
    private boolean isOn(FlagValues values) {
        return http(values) || envoy(values);
    }

    /** Returns whether checks over HTTP are enabled. */
    boolean http(FlagValues values) {
        return values.find(http).orElse(false);
    }

    /** Returns whether Envoy's gRPC checks are enabled. */
    boolean envoy(FlagValues values) {
        return values.find(envoy).orElse(false);
    }

    /** Opens the settings; null without such a front, or after reporting a problem. */
    @Nullable
    CheckSettings open(FlagValues values, OpenResources opened, StartException.Collector problems) {
        return isOn(values) ? new IdentityOpener(this, values, opened, problems).settings() : null;
    }

    /** Opener of the identity source. A separate class, so that its dependencies are only loaded if needed. */
    private record IdentityOpener(
            CheckFlags flags, FlagValues values, OpenResources opened, StartException.Collector problems) {
        @Nullable
        CheckSettings settings() {
            @Nullable IdentitySource source = source();
            return source == null
                    ? null
                    : new CheckSettings(
                            source,
                            values.get(flags.paths).equals(PATH) ? PathForm.PATH : PathForm.RESOURCE,
                            new AnswerFields(values.get(flags.answer)));
        }

        private @Nullable IdentitySource source() {
            return switch (values.get(flags.identity)) {
                case XFCC -> certificates(CertificateIdentity.Form.XFCC);
                case ESCAPED -> certificates(CertificateIdentity.Form.ESCAPED);
                case BEARER -> tokens();
                default -> new HeaderIdentity(values.get(flags.user), values.get(flags.groups));
            };
        }

        private @Nullable IdentitySource tokens() {
            TokenAuthenticator tokens =
                    OidcFlags.open(flags.oidc.settings(values).orElseThrow(), AUDIENCES, opened, problems);
            return tokens == null ? null : IdentitySource.bearer(tokens, AUDIENCES);
        }

        private @Nullable IdentitySource certificates(CertificateIdentity.Form form) {
            Path file = values.get(flags.authorities).orElseThrow();
            return problems.open(flags.authorities.dashed(), () -> {
                WatchedFiles<TrustBundle> trusted = opened.with(TrustBundle.watch("check-client-ca", file));
                return CertificateIdentity.of(
                        form, new CertificateVerifier(trusted, CertificateUsage.CLIENT, InstantSource.system()));
            });
        }
    }
}
