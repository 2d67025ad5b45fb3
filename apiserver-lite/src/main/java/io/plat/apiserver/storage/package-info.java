/**
 * Storage: one ordered map from keys to bytes under one global revision, with recent history.
 *
 * <p>{@link io.plat.apiserver.storage.ObjectStore} is the contract, and the conformance suite of the tests module its definition.
 * Backends share {@link io.plat.apiserver.storage.VersionedMemory}, which serves reads, past states and watches; they have packages of
 * their own. Values are opaque bytes: no HTTP, no JSON. Depends on nothing of the API.
 */
@NullMarked
package io.plat.apiserver.storage;

import org.jspecify.annotations.NullMarked;
