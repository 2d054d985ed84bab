package io.boltshuffle.integration;

/** SEND on unreliable queue pairs: what is lost is for the link to notice. */
class SendModeJobsOverSoftRoceTest extends SoftRoceJobs {
    SendModeJobsOverSoftRoceTest() {
        super("send");
    }
}
