/**
 * The embedded backend: a store in memory whose changes are rows of one SQLite file, its log, and what checks, copies and moves that file.
 * May depend on {@link io.plat.apiserver.storage}, {@link io.plat.apiserver.storage.move} and the database driver.
 */
@NullMarked
package io.plat.apiserver.storage.embedded;

import org.jspecify.annotations.NullMarked;
