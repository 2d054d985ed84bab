package io.boltshuffle.integration;

/** RDMA READ on reliable queue pairs: the kernel repeats what is lost. */
class ReadModeJobsOverSoftRoceTest extends SoftRoceJobs {
    ReadModeJobsOverSoftRoceTest() {
        super("read");
    }
}
