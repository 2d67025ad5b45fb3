package io.plat.tests.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tls.pem.PemSource;
import io.plat.tls.x509.TlsIdentity;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.Provider;
import java.security.Security;
import java.security.cert.Certificate;

/**
 * The database of client certificates of a browser (NSS), written through the browser's own library. A separate process writes it, since
 * the library keeps the first database open.
 */
@SuppressWarnings("restricted") // Calls the browser's library.
final class ClientCertificateStore {
    private static final String PREFERENCES = """
            {"profile":{"content_settings":{"exceptions":{"auto_select_certificate":{
            "https://*,*":{"setting":{"filters":[{}]}}}}}}}
            """;

    private ClientCertificateStore() {}

    /** Installs a certificate and its key in the browser's home, so that it is selected without a prompt. */
    static void install(Path home, Path certificate, Path key) throws IOException {
        Path database = Files.createDirectories(home.resolve(".pki/nssdb"));
        Files.writeString(
                Files.createDirectories(home.resolve("profile/Default")).resolve("Preferences"), PREFERENCES);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ClientCertificateStore.class.getName(),
                        database.toString(),
                        certificate.toString(),
                        key.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.onExit().join().exitValue()).as(output).isZero();
    }

    /** Creates the database of the first argument, and adds the certificate and the key of the others. */
    public static void main(String[] arguments) throws Throwable {
        createDatabase(arguments[0]);
        Path settings = Files.writeString(Path.of(arguments[0], "provider.cfg"), """
                name=nss
                nssSecmodDirectory=sql:%s
                nssDbMode=readWrite
                nssModule=keystore
                attributes=compatibility
                """.formatted(arguments[0]));
        Provider nss = Security.getProvider("SunPKCS11").configure(settings.toString());
        KeyStore store = KeyStore.getInstance("PKCS11", nss);
        store.load(null, new char[0]);
        TlsIdentity identity =
                TlsIdentity.read(PemSource.file(Path.of(arguments[1])), PemSource.file(Path.of(arguments[2])));
        store.setKeyEntry("client", identity.key(), null, identity.chain().toArray(Certificate[]::new));
    }

    /** Java's provider does not initialize the empty password of a new database. */
    private static void createDatabase(String directory) throws Throwable {
        try (Arena memory = Arena.ofConfined()) {
            SymbolLookup library = SymbolLookup.libraryLookup("libnss3.so", memory);
            MemoryLayout pointer = ValueLayout.ADDRESS;
            MethodHandle open = function(library, "NSS_InitReadWrite", ValueLayout.JAVA_INT, pointer);
            assertThat((int) open.invoke(memory.allocateFrom("sql:" + directory)))
                    .isZero();
            MemorySegment slot = (MemorySegment)
                    function(library, "PK11_GetInternalKeySlot", pointer).invoke();
            MethodHandle password = function(library, "PK11_InitPin", ValueLayout.JAVA_INT, pointer, pointer, pointer);
            assertThat((int) password.invoke(slot, MemorySegment.NULL, memory.allocateFrom("")))
                    .isZero();
            function(library, "PK11_FreeSlot", ValueLayout.JAVA_INT, pointer).invokeWithArguments(slot);
            function(library, "NSS_Shutdown", ValueLayout.JAVA_INT).invokeWithArguments();
        }
    }

    private static MethodHandle function(
            SymbolLookup library, String name, MemoryLayout result, MemoryLayout... arguments) {
        return Linker.nativeLinker()
                .downcallHandle(library.find(name).orElseThrow(), FunctionDescriptor.of(result, arguments));
    }
}
