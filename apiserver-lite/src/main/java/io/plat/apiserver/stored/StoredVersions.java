package io.plat.apiserver.stored;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.apiserver.apply.Ownership;
import io.plat.apiserver.type.StorageIdentity;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Versions and kinds that stored bytes reveal. Objects are stored without kind and apiVersion, so that only {@code managedFields} name
 * the versions in which they were written. A role object or CertificateSigningRequest with a {@code generation} was written by a custom
 * type, as these types have none and accept none from clients.
 */
final class StoredVersions {
    private static final JsonFactory FACTORY = JsonFactories.create();

    private static final byte[] OPENING = StoredForm.OPENING.getBytes(StandardCharsets.US_ASCII);

    private StoredVersions() {}

    /** Returns whether a type serves all of them. Bytes that are not in stored form, or not JSON, are not served by any type. */
    static boolean served(StorageIdentity type, byte[] stored) {
        int length = OPENING.length;
        if (stored.length <= length || !Arrays.equals(OPENING, 0, length, stored, 0, length)) {
            return false;
        }
        try (JsonParser json = FACTORY.createParser(stored)) {
            boolean served = true;
            json.nextToken();
            while (served && json.nextToken() == JsonToken.FIELD_NAME) {
                String field = json.currentName();
                json.nextToken();
                served = switch (field) {
                    case "metadata" -> metadata(type, json);
                    case "apiVersion" -> type.stores(json.getText(), "");
                    case "kind" -> type.stores("", json.getText());
                    default -> {
                        json.skipChildren();
                        yield true;
                    }
                };
            }
            return served;
        } catch (IOException notJson) {
            return false;
        }
    }

    private static boolean metadata(StorageIdentity type, JsonParser json) throws IOException {
        boolean served = true;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.currentName();
            json.nextToken();
            if (field.equals(Ownership.FIELD) && json.currentToken() == JsonToken.START_ARRAY) {
                while (json.nextToken() == JsonToken.START_OBJECT) {
                    served &= owner(type, json);
                }
            } else {
                served &= !field.equals("generation") || !type.guarded();
                json.skipChildren();
            }
        }
        return served;
    }

    private static boolean owner(StorageIdentity type, JsonParser json) throws IOException {
        boolean served = true;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            boolean version = json.currentName().equals("apiVersion");
            json.nextToken();
            served &= !version || type.mayBeWrittenIn(json.getText());
            json.skipChildren();
        }
        return served;
    }
}
