/**
 * Embedded backend: a store in memory whose changes are logged in one SQLite file, and verification, backup and migration of that file.
 * May depend on {@link io.plat.apiserver.storage}, {@link io.plat.apiserver.storage.move} and the database driver.
 */
@NullMarked
package io.plat.apiserver.storage.embedded;

import org.jspecify.annotations.NullMarked;
